// SPDX-License-Identifier: Apache-2.0
// A TrieMap hands values on: what was written before put is there after get; so it is with a snapshot of it.
// EXPECT: race ScalaConcurrentMap$Item.value write @item then read @item
import scala.collection.concurrent.TrieMap
import goldilocks.test.Order._

object ScalaConcurrentMap {
  final class Item(var value: Int) // @item

  def main(args: Array[String]): Unit = {
    val map = TrieMap[String, Item]("other" -> new Item(0))
    use(map.snapshot().get("other"))
    Turns.turns(() => {
      val item = new Item(1)
      item.value = 2
      map.put("item", item)
      if (racy)
        item.value = 3
    }, () => {
      use(map.snapshot().size.toLong)
      use(map("item").value.toLong)
    })
  }
}
