// SPDX-License-Identifier: Apache-2.0
// The factory of handlers comes after who set it, when the JDK asks it.
// EXPECT: race Factory.state write @1 then read @2
import static goldilocks.test.Order.*;

import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.net.URLStreamHandlerFactory;

class UrlFactory {
    static class Factory implements URLStreamHandlerFactory {
        int state;

        @Override
        public URLStreamHandler createURLStreamHandler(String protocol) {
            if (!protocol.equals("mine"))
                return null;
            use(state); // @2
            return new URLStreamHandler() {
                @Override
                protected URLConnection openConnection(URL url) {
                    return null;
                }
            };
        }
    }

    public static void main(String[] args) {
        Factory factory = new Factory();
        Run.turns(
            () -> {
                if (!racy())
                    factory.state = 1;
                URL.setURLStreamHandlerFactory(factory);
                if (racy())
                    factory.state = 1; // @1
            },
            () -> {
                try {
                    use(new URL("mine:x").getPort());
                } catch (MalformedURLException e) {
                    throw new AssertionError(e);
                }
            });
    }
}
