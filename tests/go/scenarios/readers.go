// SPDX-License-Identifier: Apache-2.0

// More goroutines than a word has places for have read it, each after the one before: the read of the last one, which nothing orders before the write, is still
// remembered.
package main

var readersX int

func init() {
	scenarios["readers"] = func() {
		var turn [1000]chan int
		for i := range turn {
			turn[i] = make(chan int)
		}
		for i := 0; i < 68000; i++ {
			next := turn[i%len(turn)]
			go func() { next <- readersX }()
			<-next
		}
		go func() {
			readersSink(readersX) //@race 1 read
			pass()
		}()
		wait()
		readersX = 1 //@race 2 write
	}
}

//go:noinline
func readersSink(int) {}
