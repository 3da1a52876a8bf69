// SPDX-License-Identifier: Apache-2.0

// Memory that was freed and is given out again has no past.
package main

func init() {
	scenarios["reuse"] = func() {
		done := make(chan bool)
		for i := 0; i < 4; i++ {
			go func() {
				for k := 0; k < 20000; k++ {
					p := new([8]int)
					p[k%8] = k
					s := make([]byte, k%300)
					for j := range s {
						s[j] = byte(j)
					}
				}
				done <- true
			}()
		}
		for i := 0; i < 4; i++ {
			<-done
		}
	}
}
