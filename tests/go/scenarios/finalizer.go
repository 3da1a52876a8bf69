// SPDX-License-Identifier: Apache-2.0

// A finalizer comes after everything that was done to the object; memory that the collector has freed is another object's.
package main

import "runtime"

type finalized struct{ x, y int }

func init() {
	scenarios["finalizer"] = func() {
		const n = 50
		gone := make(chan int, n)
		for i := 0; i < n; i++ {
			go func() {
				f := &finalized{}
				runtime.SetFinalizer(f, func(f *finalized) { gone <- f.x + f.y })
				f.x, f.y = 1, 2
			}()
		}
		for i := 0; i < n; i++ {
			for len(gone) == 0 {
				runtime.GC()
				_ = make([]int, 1000)
			}
			if <-gone != 3 {
				panic("not written")
			}
		}
	}
}
