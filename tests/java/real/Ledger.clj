; SPDX-License-Identifier: Apache-2.0
; Threads move money between refs (alter, commute, ensure) while others add it up; an agent keeps the journal; an atom, a delay, a lazy sequence,
; a memoized function, records, a protocol, a multimethod and locking are shared. Prints what must come out.
(ns Ledger)

(set! *warn-on-reflection* true)

(def threads 4)
(def size 20)
(def steps 150)

(defprotocol Priced
  (price [this]))

(defrecord Move [thread from to]
  Priced
  (price [_] (inc (mod (+ from to) 3))))

(defmulti describe (fn [move] (if (< (:from move) (:to move)) :up :down)))
(defmethod describe :up [move] (str (:from move) "<" (:to move)))
(defmethod describe :down [move] (str (:from move) ">" (:to move)))

(def accounts (vec (repeatedly size #(ref 1000))))
; Nothing alters it: a commute that meets a running transaction's alter begins again without waiting, 10,000 times at most.
(def turnover (ref 0))
(def journal (agent []))
(def made (atom {:moves 0 :kinds #{}}))
(def fees (delay (into {} (map (fn [i] [i (* i i)]) (range size)))))
(def numbers (map #(mod (* 7 %) size) (range 400)))
(def square (memoize (fn [n] (* n n))))
(def monitor (Object.))
(def touched (long-array 1))

(defn total []
  (dosync (reduce + (map ensure accounts))))

(defn step [thread i]
  (let [from (nth numbers (+ (* thread 50) i))
        to (mod (+ (* 3 thread) (* 5 i) 1) size)
        move (->Move thread from to)]
    (dosync
      (alter (accounts from) - (price move))
      (alter (accounts to) + (price move))
      (commute turnover + 1)
      (send journal conj (describe move)))
    (swap! made (fn [m] (-> m (update :moves inc) (update :kinds conj (square (@fees to))))))
    (locking monitor
      (let [^longs touched touched]
        (aset touched 0 (inc (aget touched 0)))))
    (when (zero? (mod i 25))
      (when-not (= (total) (* size 1000))
        (throw (IllegalStateException. "money was made, or lost"))))))

(defn run [thread]
  (dotimes [i steps]
    (step thread i))
  thread)

(let [results (doall (map #(future (run %)) (range threads)))
      done (reduce + (map deref results))]
  (await journal)
  (println (format "threads %d, moves %d, journal %d, kinds %d, touched %d, turnover %d, total %d, squares %d"
                   done (:moves @made) (count @journal) (count (:kinds @made)) (aget ^longs touched 0) @turnover (total)
                   (reduce + (pmap (fn [n] (reduce + (map square (range n)))) (range 50)))))
  (shutdown-agents))
