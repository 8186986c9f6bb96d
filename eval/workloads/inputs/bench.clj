;; Functional Clojure: records and protocols, multimethods, persistent maps and sets, lazy
;; sequences, transducers, tree walks, macros, and accounts in transactional memory.
(ns bench
  (:require [clojure.set :as set]
            [clojure.string :as string]
            [clojure.walk :as walk])
  (:import [java.io PushbackReader StringReader]))

(defprotocol Shape
  (area [shape])
  (grow [shape by]))

(defrecord Square [side]
  Shape
  (area [_] (* side side))
  (grow [_ by] (->Square (+ side by))))

(defrecord Rectangle [width height]
  Shape
  (area [_] (* width height))
  (grow [_ by] (->Rectangle (+ width by) height)))

(defn total-area [n]
  (let [shapes (map #(if (even? %) (->Square %) (->Rectangle % (inc %))) (range n))]
    (reduce + (map (comp area #(grow % 2)) shapes))))

(defmulti value first)
(defmethod value :number [[_ n]] n)
(defmethod value :sum [[_ a b]] (+ (value a) (value b)))
(defmethod value :product [[_ a b]] (mod (* (value a) (value b)) 1000003))

(defn expression [depth]
  (if (zero? depth)
    [:number 3]
    [(if (odd? depth) :sum :product)
     (expression (dec depth))
     [:sum (expression (dec depth)) [:number depth]]]))

(defn neighbours [[x y]]
  (for [dx [-1 0 1] dy [-1 0 1] :when (not= 0 dx dy)]
    [(+ x dx) (+ y dy)]))

(defn generation
  "The next one in Conway's game of life, of a set of cells."
  [cells]
  (set (for [[cell n] (frequencies (mapcat neighbours cells))
             :when (or (= n 3) (and (= n 2) (cells cell)))]
         cell)))

(defn primes [below]
  (loop [candidates (range 2 below), found []]
    (let [p (first candidates)]
      (if (> (* p p) below)
        (into found candidates)
        (recur (doall (remove #(zero? (mod % p)) candidates)) (conj found p))))))

(defn grouped [n]
  (reduce (fn [groups i]
            (update groups (keyword (str "k" (mod (* i 7919) 503))) (fnil conj []) i))
          {}
          (range n)))

(defn words [n]
  (take n (cycle (string/split "alpha beta gamma delta epsilon zeta eta theta beta" #" "))))

(defn compute []
  (let [groups (grouped 12000)]
    (pr-str
      [(total-area 3000)
       (count groups)
       (reduce + (map count (vals groups)))
       (value (expression 11))
       (sort (nth (iterate generation #{[0 1] [1 1] [2 1] [1 0] [0 2] [5 5] [5 6] [6 5]}) 40))
       (count (flatten (walk/postwalk #(if (number? %) (inc %) %) (expression 9))))
       (sort (frequencies (words 20000)))
       (reduce + (primes 6000))
       (transduce (comp (map inc) (filter odd?) (partition-by #(quot % 100)) (map count))
                  + 0 (range 20000))
       (count (set/union (set (range 2000)) (set (range 1000 4000))))])))

(defn forms [source]
  (let [reader (PushbackReader. (StringReader. source))]
    (doall (take-while some? (repeatedly #(read {:eof nil} reader))))))

(defn expanded-size
  "How many nodes the functions of a source have when their macros are expanded."
  [source]
  (binding [*ns* (the-ns 'bench)]
    (->> (forms source)
         (filter #(= 'defn (first %)))
         (map walk/macroexpand-all)
         (mapcat #(tree-seq coll? seq %))
         count)))

(def accounts (vec (repeatedly 10 #(ref 0))))

(defn open-accounts []
  (doseq [account accounts]
    (dosync (ref-set account 100)))
  "open")

(defn transfer [worker n]
  (dotimes [i n]
    (let [from (mod (+ i worker) 10)
          to (mod (* 3 (+ i worker 1)) 10)]
      (when (not= from to)
        (dosync
          (alter (accounts from) - 1)
          (alter (accounts to) + 1))))))

(defn balances []
  (pr-str (mapv deref accounts)))
