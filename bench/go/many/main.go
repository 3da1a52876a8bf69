// SPDX-License-Identifier: Apache-2.0

// So many goroutines that wait for one start: `many 20000`. Built once with `goldilocks go build` and once with `go build -race`.
package main

import (
	"fmt"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
)

var shared [64]int
var n int64

func main() {
	k, _ := strconv.Atoi(os.Args[1])
	var wg sync.WaitGroup
	var mu sync.Mutex
	start := make(chan bool)
	for i := 0; i < k; i++ {
		i := i
		wg.Add(1)
		go func() {
			defer wg.Done()
			<-start
			mu.Lock()
			shared[i%64]++
			mu.Unlock()
			atomic.AddInt64(&n, 1)
		}()
	}
	close(start)
	wg.Wait()
	fmt.Println(n, shared[0])
}
