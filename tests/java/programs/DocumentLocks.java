// SPDX-License-Identifier: Apache-2.0
// What listeners of a text document do is done under its lock for writing, what render() runs under the one for reading.
// EXPECT: race DocumentLocks.changes write @1 then read @2
// JVM: -Djava.awt.headless=true
import static goldilocks.test.Order.*;

import javax.swing.event.DocumentEvent;
import javax.swing.event.DocumentListener;
import javax.swing.text.BadLocationException;
import javax.swing.text.PlainDocument;

class DocumentLocks {
    static int changes;

    static void insert(PlainDocument document) {
        try {
            document.insertString(0, "x", null);
        } catch (BadLocationException e) {
            throw new AssertionError(e);
        }
    }

    static void look() {
        use(changes); // @2
    }

    public static void main(String[] args) {
        PlainDocument document = new PlainDocument();
        document.addDocumentListener(new DocumentListener() {
            @Override
            public void insertUpdate(DocumentEvent e) {
                changes = 1; // @1
            }

            @Override
            public void removeUpdate(DocumentEvent e) {}

            @Override
            public void changedUpdate(DocumentEvent e) {}
        });
        Run.turns(
            () -> insert(document),
            () -> {
                if (racy())
                    look();
                else
                    document.render(DocumentLocks::look);
            });
    }
}
