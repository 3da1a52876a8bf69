// SPDX-License-Identifier: Apache-2.0

// What comes before an atomic store is seen after the load, the store itself included.
package main

import "sync/atomic"

var publishFlag int32
var publishData int

func init() {
	scenarios["publish"] = func() {
		go func() {
			publishData = 1
			atomic.StoreInt32(&publishFlag, 1)
		}()
		for atomic.LoadInt32(&publishFlag) == 0 {
		}
		publishData++
		publishFlag++
		done := make(chan bool)
		go func() {
			for !atomic.CompareAndSwapInt32(&publishFlag, 3, 4) {
			}
			publishFlag++
			publishData++
			done <- true
		}()
		publishData++
		atomic.AddInt32(&publishFlag, 1)
		<-done
		if publishFlag != 5 || publishData != 4 {
			panic("lost")
		}
	}
}
