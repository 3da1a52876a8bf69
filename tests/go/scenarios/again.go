// SPDX-License-Identifier: Apache-2.0

// What sync does inside is ordered by what it tells: a WaitGroup or RWMutex that others are done with may be made anew.
package main

import "sync"

var againWait sync.WaitGroup
var againLock sync.RWMutex

func init() {
	scenarios["again"] = func() {
		for i := 0; i < 3; i++ {
			againWait.Add(2)
			for k := 0; k < 2; k++ {
				go againWait.Done()
			}
			againWait.Wait()
			againWait = sync.WaitGroup{}
		}
		go func() {
			againLock.RLock()
			againLock.RUnlock()
			pass()
		}()
		wait()
		againLock.Lock()
		againLock.Unlock()
		againLock = sync.RWMutex{}
	}
}
