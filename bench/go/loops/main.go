// SPDX-License-Identifier: Apache-2.0

// Small loops by name, all without one: seconds each. Built once with `goldilocks go build` and once with `go build -race`.
package main

import (
	"fmt"
	"os"
	"sort"
	"sync"
	"time"
)

func timed(name string, f func()) {
	if len(os.Args) > 1 && os.Args[1] != name {
		return
	}
	t := time.Now()
	f()
	fmt.Printf("%s %.2f\n", name, time.Since(t).Seconds())
}

type node struct {
	l, r *node
	v    int
}

func build(d int) *node {
	if d == 0 {
		return &node{v: 1}
	}
	return &node{build(d - 1), build(d - 1), d}
}
func (n *node) sum() int {
	if n == nil {
		return 0
	}
	return n.l.sum() + n.r.sum() + n.v
}

func main() {
	timed("pingpong", func() {
		a, b := make(chan int), make(chan int)
		go func() {
			for x := range a {
				b <- x + 1
			}
			close(b)
		}()
		for i := 0; i < 200000; i++ {
			a <- i
			<-b
		}
		close(a)
	})
	timed("buffered", func() {
		a := make(chan int, 128)
		go func() {
			for i := 0; i < 1000000; i++ {
				a <- i
			}
			close(a)
		}()
		for range a {
		}
	})
	timed("mutex", func() {
		var mu sync.Mutex
		var wg sync.WaitGroup
		n := 0
		for g := 0; g < 8; g++ {
			wg.Add(1)
			go func() {
				defer wg.Done()
				for i := 0; i < 100000; i++ {
					mu.Lock()
					n++
					mu.Unlock()
				}
			}()
		}
		wg.Wait()
	})
	timed("sort", func() {
		x := make([]int, 1000000)
		s := uint32(1)
		for i := range x {
			s = s*1664525 + 1013904223
			x[i] = int(s >> 8)
		}
		sort.Ints(x)
	})
	timed("trees", func() {
		var wg sync.WaitGroup
		for g := 0; g < 4; g++ {
			wg.Add(1)
			go func() {
				defer wg.Done()
				for i := 0; i < 10; i++ {
					build(14).sum()
				}
			}()
		}
		wg.Wait()
	})
	timed("spawn", func() {
		for i := 0; i < 100000; i++ {
			c := make(chan bool)
			go func() { c <- true }()
			<-c
		}
	})
	timed("matrix", func() {
		n := 200
		a, b, c := make([][]float64, n), make([][]float64, n), make([][]float64, n)
		for i := range a {
			a[i], b[i], c[i] = make([]float64, n), make([]float64, n), make([]float64, n)
		}
		var wg sync.WaitGroup
		for g := 0; g < 4; g++ {
			g := g
			wg.Add(1)
			go func() {
				defer wg.Done()
				for i := g; i < n; i += 4 {
					for j := 0; j < n; j++ {
						for k := 0; k < n; k++ {
							c[i][j] += a[i][k] * b[k][j]
						}
					}
				}
			}()
		}
		wg.Wait()
	})
}
