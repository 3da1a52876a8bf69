; SPDX-License-Identifier: Apache-2.0
; What Clojure hands values on with orders: each is put before the write in the racing run, and behind it in the twin.
; EXPECT: race long[0] write RT.java then read @read
; EXPECT: race long[1] write RT.java then read @read
; EXPECT: race long[2] write RT.java then read @read
; EXPECT: race long[3] write RT.java then read @read
; EXPECT: race long[4] write RT.java then read @read
; EXPECT: race long[5] write RT.java then read @read
; EXPECT: race long[6] write RT.java then read @read
; OPTIONS: dedup=no,report_limit=0
(ns ClojurePublish
  (:require [turns :refer [turns]])
  (:import (goldilocks.test Order)))

(set! *warn-on-reflection* true)

(def root nil)

(def ways
  "How each is made, put, got."
  [[(fn [] (atom 0)) (fn [a] (swap! a inc)) (fn [a] (Order/must (= @a 1)))]
   [(fn [] (ref 0)) (fn [r] (dosync (alter r inc))) (fn [r] (Order/must (= @r 1)))]
   [(fn [] (ref 0)) (fn [r] (dosync (commute r inc))) (fn [r] (dosync (Order/must (= (ensure r) 1))))]
   [(fn [] (promise)) (fn [p] (deliver p 1)) (fn [p] (Order/must (= @p 1)))]
   [(fn [] (volatile! 0)) (fn [v] (vreset! v 1)) (fn [v] (Order/must (= @v 1)))]
   [(fn [] (alter-var-root #'root (constantly 0))) (fn [_] (alter-var-root #'root inc)) (fn [_] (Order/must (= root 1)))]
   [(fn [] (delay 1)) (fn [d] (force d)) (fn [d] (Order/must (= (force d) 1)))]])

(def data (long-array 8))

(doseq [i (range (count ways))]
  (let [i (int i)
        ^longs data data
        [make put got] (nth ways i)
        thing (make)]
    (let [other (make)]
      (put other)
      (got other)
      (make))
    (aset data 7 (aget data i))
    (if (Order/racy)
      (turns (fn [] (put thing) (aset data i 1)) ; before
             (fn [] (got thing) (Order/use (aget data i)))) ; @read
      (turns (fn [] (aset data i 1) (put thing)) (fn [] (got thing) (Order/use (aget data i)))))))
