// SPDX-License-Identifier: Apache-2.0

// The stack of an access in a deep recursion, whose frames do not fit into what a goroutine has at first.
package main

var deepX int

//go:noinline
func deepWrite(n int) int {
	if n == 0 {
		deepX = 1 //@race 1 write
		return 0
	}
	return deepWrite(n-1) + 1
}

func init() {
	scenarios["deep"] = func() {
		go func() {
			if deepWrite(20000) != 20000 {
				panic("lost")
			}
			pass()
		}()
		wait()
		deepX = 2 //@race 2 write
	}
}
