// SPDX-License-Identifier: Apache-2.0
// @Synchronized, @Lazy (double-checked if it is volatile), @WithReadLock and @WithWriteLock are code that the compiler writes.
// EXPECT: race GroovyTransformed.count write @count then write @count
// EXPECT: race int[1] write @lazy|BytecodeInterface8.java then read BytecodeInterface8.java
import groovy.transform.CompileStatic
import groovy.transform.Synchronized
import groovy.transform.WithReadLock
import groovy.transform.WithWriteLock
import static goldilocks.test.Order.*

@CompileStatic
class GroovyTransformed {
    private int count
    private int kept
    @Lazy volatile int[] table = [0, 1, 2] as int[]

    @Synchronized
    void add(int n) {
        set(n)
    }

    void set(int n) {
        count = n // @count
    }

    @WithWriteLock
    void keep(int n) {
        kept = n
    }

    @WithReadLock
    int kept() {
        kept
    }
}

@CompileStatic
class GroovyTransforms {
    static void main(String[] args) {
        GroovyTransformed it = new GroovyTransformed()
        GroovyTransformed other = new GroovyTransformed()
        other.add(1)
        other.keep(other.kept() + other.table[1])
        Run.turns(new Run.Body() {
            void run() {
                use(it.table[1] as long)
                if (racy()) {
                    it.table[1] = 3 // @lazy
                    it.set(1)
                } else {
                    it.add(1)
                }
                it.keep(1)
            }
        }, new Run.Body() {
            void run() {
                use(it.table[1] as long) // @readLazy
                if (racy())
                    it.set(2)
                else
                    it.add(2)
                must(it.kept() == 1)
            }
        })
    }
}
