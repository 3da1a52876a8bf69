// SPDX-License-Identifier: Apache-2.0
// Fields and properties under static compilation; the accessors of properties have no line.
// EXPECT: race GroovyBox.own write @own then read @readOwn
// EXPECT: race GroovyBox.table write @table then read @readTable
// EXPECT: race int[1] write @table then read BytecodeInterface8.java
import groovy.transform.CompileStatic
import static goldilocks.test.Order.*

@CompileStatic
class GroovyBox {
    private int own
    protected int[] table = new int[2]
    volatile boolean ready

    void begin(int n) {
        own = n // @own
        table = [n, n] as int[] // @table
        if (!racy())
            ready = true
    }

    int end() {
        must(racy() || ready)
        int sum = own // @readOwn
        int[] found = table // @readTable
        sum + found[1]
    }
}

@CompileStatic
class GroovyStatic {
    static void main(String[] args) {
        GroovyBox box = new GroovyBox()
        new GroovyBox().begin(1)
        new GroovyBox().with { GroovyBox it -> must(racy() || !it.ready) }
        Run.turns(new Run.Body() {
            void run() {
                box.begin(3)
            }
        }, new Run.Body() {
            void run() {
                must(box.end() == 6)
            }
        })
    }
}
