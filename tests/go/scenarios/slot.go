// SPDX-License-Identifier: Apache-2.0

// A channel with a buffer of one orders a receive before the next send, and orders no more: the second sender does not come after
// what the receiver did after its receive.
package main

var slotBefore, slotAfter int

func init() {
	scenarios["slot"] = func() {
		c := make(chan int, 1)
		c <- 1
		go func() {
			slotBefore = 1
			<-c
			slotAfter = 1 //@race 1 write
			pass()
		}()
		c <- 2
		slotBefore = 2
		wait()
		slotAfter = 2 //@race 2 write
	}
}
