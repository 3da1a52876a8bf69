; SPDX-License-Identifier: Apache-2.0
; Mutable fields of a deftype: unsynchronized ones race, volatile ones order. A method that does nothing else has the line of the deftype.
; EXPECT: race ClojureType.Box.n write @type then read @type
; EXPECT: race ClojureType.Box.shown write @type then read ClojureType.clj
; REPORT: ClojureType\.Box\.look\(ClojureType\.clj:@type\)
(ns ClojureType
  (:require [turns :refer [turns guarded]])
  (:import (goldilocks.test Order)))

(set! *warn-on-reflection* true)

(defprotocol Boxed
  (put [this value])
  (look [this])
  (publish [this])
  (published [this]))

(deftype Box [^:unsynchronized-mutable n ^:unsynchronized-mutable shown ^:volatile-mutable ready] ; @type
  Boxed
  (put [this value]
    (set! n value))
  (look [this]
    n)
  (publish [this]
    (set! shown 1)
    (when-not (Order/racy)
      (set! ready true))
    nil)
  (published [this]
    (when-not (Order/racy)
      (Order/must (true? ready)))
    (loop [i 0]
      (if (< i 1)
        (recur (inc i))
        shown))))

(let [box (Box. 0 0 false)
      other (Box. 0 0 false)]
  (put other 1)
  (publish other)
  (Order/must (and (= (look other) 1) (= (published other) 1)))
  (guarded (fn [] (put box 1)) (fn [] (Order/must (= (look box) 1))))
  (turns (fn [] (publish box)) (fn [] (Order/must (= (published box) 1)))))
