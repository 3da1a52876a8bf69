// SPDX-License-Identifier: Apache-2.0

// Each file is a scenario, run by its name: `scenarios plain`. Lines marked //@race 1 KIND and //@race 2 KIND are the earlier and the later access of the one
// race in it; without marks it is silent.
package main

import (
	"fmt"
	"os"
	"syscall"
	"unsafe"
)

var scenarios = map[string]func(){}

var turns [2]int // a pipe

// The order that a scenario needs and the detector must not see: raw system calls on a pipe.
func pass() { turn(syscall.SYS_WRITE, turns[1]) }
func wait() { turn(syscall.SYS_READ, turns[0]) }

var turnByte [1]byte

//go:norace
func turn(call uintptr, fd int) {
	for {
		n, _, _ := syscall.Syscall(call, uintptr(fd), uintptr(unsafe.Pointer(&turnByte)), 1)
		if n == 1 {
			return
		}
	}
}

func main() {
	if syscall.Pipe(turns[:]) != nil {
		os.Exit(3)
	}
	if len(os.Args) != 2 || scenarios[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: scenarios NAME")
		os.Exit(3)
	}
	scenarios[os.Args[1]]()
	fmt.Println("done")
}
