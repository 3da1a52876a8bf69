// SPDX-License-Identifier: Apache-2.0

package main

var plainX int

//go:noinline
func plainWrite() {
	plainX = 1 //@race 1 write
	pass()
}

func init() {
	scenarios["plain"] = func() {
		go plainWrite()
		wait()
		if plainX != 1 { //@race 2 read
			panic("not written")
		}
	}
}
