; SPDX-License-Identifier: Apache-2.0
; locking: in a loop, left by an exception, with finally around it; its monitor is entered and left without the handlers that javac makes.
; EXPECT: race ClojureLocking.Counter.n write @set then write @set
(ns ClojureLocking
  (:require [turns :refer [turns]])
  (:import (goldilocks.test Order)))

(set! *warn-on-reflection* true)

(defprotocol Counts
  (write [this value]))

(deftype Counter [^:unsynchronized-mutable n] ; @set
  Counts
  (write [this value]
    (set! n value)))

(def monitor (Object.))

(defn work [counter value]
  (loop [i 0]
    (when (< i 3)
      (try
        (locking (if (Order/racy) (Object.) monitor)
          (write counter value)
          (when (odd? i)
            (throw (IllegalStateException.))))
        (catch IllegalStateException _ nil)
        (finally (Order/use (long i))))
      (recur (inc i)))))

(work (Counter. 0) 1)
(let [counter (Counter. 0)]
  (turns (fn [] (work counter 1)) (fn [] (work counter 2))))
