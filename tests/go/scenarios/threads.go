// SPDX-License-Identifier: Apache-2.0

// Goroutines that end with their thread, and others that go on elsewhere.
package main

import (
	"runtime"
	"sync"
)

var threadsX int

func init() {
	scenarios["threads"] = func() {
		var mu sync.Mutex
		var all sync.WaitGroup
		sum := 0
		for i := 0; i < 100; i++ {
			all.Add(1)
			go func() {
				defer all.Done()
				if i := runtime.NumGoroutine(); i >= 0 {
					runtime.LockOSThread() // never unlocked: the thread ends with it
				}
				for k := 0; k < 20; k++ {
					mu.Lock()
					sum++
					mu.Unlock()
					runtime.Gosched()
				}
			}()
		}
		all.Wait()
		if sum != 2000 {
			panic("lost")
		}
		go func() {
			runtime.LockOSThread()
			threadsX = 1 //@race 1 write
			pass()
		}()
		wait()
		threadsX = 2 //@race 2 write
	}
}
