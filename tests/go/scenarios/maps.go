// SPDX-License-Identifier: Apache-2.0

// The runtime's own accesses, on the caller's line.
package main

func init() {
	scenarios["maps"] = func() {
		m := map[string]int{"a": 1}
		go func() {
			m["b"] = 2 //@race 1 write
			pass()
		}()
		wait()
		_ = len(m) + m["a"] //@race 2 read
	}
}
