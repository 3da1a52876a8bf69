// SPDX-License-Identifier: Apache-2.0
// A trait's variables are fields of the classes that mix it in, written by its initializer through setters, also where they are final;
// the accessors have the line of the class.
// EXPECT: race ScalaTrait$Account.balance write @class then read @class
// EXPECT: race int[2] write @slot then read @readSlot
// EXPECT: race ScalaTrait$Account.ScalaTrait$Named$$hidden write @class then read @class
import goldilocks.test.Order._

object ScalaTrait {
  trait Balance {
    var balance: Int = 10
    val slots: Array[Int] = new Array[Int](3)
    slots(2) = balance

    def add(by: Int): Unit = balance = balance + by
  }

  trait Named extends Balance {
    private var hidden: String = "nobody"
    val name: String = hidden + slots(2)

    def rename(to: String): Unit = hidden = to

    override def add(by: Int): Unit = super.add(by + name.length)

    def called: String = hidden
  }

  class Account extends Balance with Named // @class

  def main(args: Array[String]): Unit = {
    val account = new Account
    account.add(1)
    Turns.guarded(() => {
      account.balance = 1
      account.rename("somebody")
      account.slots(2) = 4 // @slot
    }, () => {
      use(account.balance.toLong)
      use(account.called)
      use(account.slots(2).toLong) // @readSlot
    })
  }
}
