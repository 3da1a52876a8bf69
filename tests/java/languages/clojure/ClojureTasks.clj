; SPDX-License-Identifier: Apache-2.0
; Futures, agents and pmap: what was written before comes before the task, what it writes comes before its result is got.
; EXPECT: race long[0] write RT.java then read @input
; EXPECT: race long[1] write RT.java then read @future
; EXPECT: race long[2] write RT.java then read @agent
; EXPECT: race long[6] write RT.java then read @mapped
(ns ClojureTasks
  (:require [turns :refer [guarded]])
  (:import (goldilocks.test Order)))

(set! *warn-on-reflection* true)

(defn a-future [^longs data]
  (Order/begin)
  (when-not (Order/racy)
    (aset data 0 1))
  (let [result (future
                 (when (Order/racy)
                   (Order/pass)
                   (Order/await 2))
                 (Order/use (aget data 0)) ; @input
                 (aset data 1 1)
                 (Order/pass)
                 :done)]
    (when (Order/racy)
      (Order/await 1)
      (aset data 0 1)
      (Order/pass)
      (Order/await 3)
      (Order/use (aget data 1))) ; @future
    (Order/must (= @result :done))
    (Order/use (aget data 1))))

(defn an-agent [^longs data]
  (Order/begin)
  (let [counter (agent 0)]
    (send counter (fn [n]
                    (aset data 2 1)
                    (Order/pass)
                    (when (Order/racy)
                      (Order/await 2))
                    (inc n)))
    (send-off counter + 2)
    (when (Order/racy)
      (Order/await 1)
      (Order/use (aget data 2)) ; @agent
      (Order/pass))
    (await counter)
    (Order/use (aget data 2))
    (Order/must (= @counter 3))))

(defn a-map [^longs data]
  (guarded (fn [] (dorun (pmap (fn [i] (aset data (int i) (long i))) (range 4 8))))
           (fn [] (Order/must (= (aget data 6) 6))))) ; @mapped

@(future (aset (long-array 1) 0 1))
(await (send (agent 0) inc))
(let [data (long-array 8)]
  (a-future data)
  (an-agent data)
  (a-map data))
(shutdown-agents)
