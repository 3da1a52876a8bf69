// SPDX-License-Identifier: Apache-2.0
// Who finds a provider in a registry of javax.imageio comes after who registered it.
// EXPECT: race ImageProviders.name write @1 then read @2
// JVM: -Djava.awt.headless=true
import static goldilocks.test.Order.*;

import java.util.Locale;
import javax.imageio.ImageReader;
import javax.imageio.spi.IIORegistry;
import javax.imageio.spi.ImageReaderSpi;

class ImageProviders {
    static int name;

    static class Provider extends ImageReaderSpi {
        @Override
        public boolean canDecodeInput(Object source) {
            return false;
        }

        @Override
        public ImageReader createReaderInstance(Object extension) {
            return null;
        }

        @Override
        public String getDescription(Locale locale) {
            return "none";
        }
    }

    public static void main(String[] args) {
        IIORegistry registry = IIORegistry.getDefaultInstance();
        Run.turns(
            () -> {
                Provider provider = new Provider();
                name = 1; // @1
                registry.registerServiceProvider(provider);
            },
            () -> {
                if (!racy() && registry.getServiceProviderByClass(Provider.class) == null)
                    throw new AssertionError("it was registered");
                use(name); // @2
            });
    }
}
