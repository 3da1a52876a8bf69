// SPDX-License-Identifier: Apache-2.0

package main

import "sync"

func init() {
	scenarios["lock"] = func() {
		var mu sync.Mutex
		var rw sync.RWMutex
		var all sync.WaitGroup
		var once sync.Once
		cond := sync.NewCond(&mu)
		counter, read, made, woken := 0, 0, 0, 0
		for i := 0; i < 8; i++ {
			all.Add(1)
			go func() {
				defer all.Done()
				once.Do(func() { made++ })
				for k := 0; k < 200; k++ {
					mu.Lock()
					counter += made
					mu.Unlock()
					rw.RLock()
					_ = read
					rw.RUnlock()
				}
				rw.Lock()
				read++
				rw.Unlock()
				mu.Lock()
				woken++
				cond.Broadcast()
				for woken < 8 {
					cond.Wait()
				}
				mu.Unlock()
			}()
		}
		all.Wait()
		if counter != 1600 || read != 8 {
			panic("lost")
		}
	}
}
