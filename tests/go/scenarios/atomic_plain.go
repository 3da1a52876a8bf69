// SPDX-License-Identifier: Apache-2.0

package main

import "sync/atomic"

var atomicPlain int64

func init() {
	scenarios["atomic_plain"] = func() {
		go func() {
			atomic.StoreInt64(&atomicPlain, 1) //@race 1 atomic write
			pass()
		}()
		wait()
		if atomicPlain != 1 { //@race 2 read
			panic("not written")
		}
	}
}
