// SPDX-License-Identifier: Apache-2.0
// A delegated property is kept by its delegate: one of the program's own, one of the library.
// EXPECT: race KotlinKept.value write @set then read @get
// EXPECT: race KotlinKept.times write @setTimes then write @getTimes
// EXPECT: race kotlin.properties.ObservableProperty.value write Interfaces.kt|ObservableProperty.kt|Delegates.kt then read Interfaces.kt|ObservableProperty.kt|Delegates.kt
import goldilocks.test.Order.*
import kotlin.properties.Delegates
import kotlin.properties.ReadWriteProperty
import kotlin.reflect.KProperty

class KotlinKept(private var value: Int) : ReadWriteProperty<Any?, Int> {
    private var times = 0

    override fun getValue(thisRef: Any?, property: KProperty<*>): Int {
        times = property.name.length // @getTimes
        return value // @get
    }

    override fun setValue(thisRef: Any?, property: KProperty<*>, value: Int) {
        times = property.name.length + 1 // @setTimes
        this.value = value // @set
    }
}

class KotlinDelegates {
    var kept by KotlinKept(3)
    var observed by Delegates.observable("none") { _, _, new -> must(new != "") }
}

fun main() {
    val delegates = KotlinDelegates()
    must(delegates.kept == 3 && KotlinDelegates().observed == "none")
    KotlinDelegates().observed = "seen"
    Run.guarded({
        delegates.kept = 4
        delegates.observed = "first"
    }, {
        must(delegates.kept == 4)
        must(delegates.observed == "first")
    })
}
