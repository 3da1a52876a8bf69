// SPDX-License-Identifier: Apache-2.0

// Functions that a panic left are in no stack of what comes after it.
package main

var recoveredX int

//go:noinline
func recoveredFail(n int) {
	if n == 0 {
		panic("as expected")
	}
	recoveredFail(n - 1)
}

//go:noinline
func recoveredTry(n int) {
	defer func() { recover() }()
	recoveredFail(n)
}

//go:noinline
func recoveredWrite() {
	recoveredX = 1 //@race 1 write
}

func init() {
	scenarios["recovered"] = func() {
		go func() {
			for i := 0; i < 20; i++ {
				recoveredTry(i * 100)
			}
			recoveredWrite()
			pass()
		}()
		wait()
		recoveredX = 2 //@race 2 write
	}
}
