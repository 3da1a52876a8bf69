; SPDX-License-Identifier: Apache-2.0
; Two threads, the first function before the second one, by an order that the agent does not see: what Run.java is for Java.
(ns turns
  (:import (goldilocks.test Order Order$Meeting)))

(defn- start ^Thread [^Order$Meeting meeting function]
  (doto (Thread. (fn []
                   (.meet meeting 2)
                   (try
                     (function)
                     (catch Throwable e (Order/fail e)))
                   (.meet meeting 2)))
    .start))

(defn turns [one two]
  (Order/begin)
  (let [meeting (Order$Meeting.)
        ^Thread a (start meeting (fn [] (one) (Order/pass)))
        ^Thread b (start meeting (fn [] (Order/await 1) (two)))]
    (.join a)
    (.join b)))

(def ^:private monitor (Object.))

(defn guarded
  "The same; in the twin both under one monitor."
  [one two]
  (if (Order/racy)
    (turns one two)
    (turns (fn [] (locking monitor (one))) (fn [] (locking monitor (two))))))
