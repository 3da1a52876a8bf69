// SPDX-License-Identifier: Apache-2.0

// More goroutines at once than a 13-bit number tells apart, with work to do on whatever thread.
package main

import "sync"

var manyX [2]int

func init() {
	scenarios["many"] = func() {
		const n = 9000
		var mu sync.Mutex
		var all sync.WaitGroup
		begin := make(chan bool)
		sum := 0
		for i := 0; i < n; i++ {
			i := i
			all.Add(1)
			go func() {
				<-begin
				mu.Lock()
				sum += i
				mu.Unlock()
				all.Done()
			}()
		}
		close(begin)
		all.Wait()
		if sum != n*(n-1)/2 {
			panic("lost")
		}
		go func() {
			manyX[1]++ //@race 1 write
			pass()
		}()
		wait()
		manyX[1]++ //@race 2 read
	}
}
