// SPDX-License-Identifier: Apache-2.0
// Properties and closures without static types: the call sites are the library's, and each thread's closures have their own.
// EXPECT: race GroovyAccount.balance write GroovyDynamic.groovy then read GroovyDynamic.groovy
// EXPECT: race groovy.lang.Reference.value write Reference.java then read Reference.java
import static goldilocks.test.Order.*

class GroovyAccount {
    def balance = 10
}

class GroovyDynamic {
    static void main(String[] args) {
        def account = new GroovyAccount()
        def seen = 0
        def deposit = { n -> account.balance = n; seen = n }
        def look = { -> account.balance + seen }
        deposit(1)
        must(look() == 2)
        Run.guarded({ deposit(3) } as Run.Body, { use((long) look()) } as Run.Body)
    }
}
