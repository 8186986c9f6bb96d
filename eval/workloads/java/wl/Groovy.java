package wl;

import groovy.lang.GroovyShell;

/** Groovy parses, compiles and runs a script: dynamic calls, closures, meta classes. */
public final class Groovy implements Workload {
  private static final int RUNS = 3;
  private static final String SCRIPT =
      String.join(
          "\n",
          "class Node { def v; List<Node> kids = [];"
              + " int sum() { v + (kids.collect { it.sum() }.sum() ?: 0) } }",
          "def build(int d) { def n = new Node(v: d);"
              + " if (d > 0) 3.times { n.kids << build(d - 1) }; n }",
          "interface Op { def ap(a, b) }",
          "def ops = [{ a, b -> a + b } as Op, { a, b -> a * b % 1009 } as Op,"
              + " { a, b -> Math.max(a, b) } as Op]",
          "def fib = { n -> n < 2 ? n : owner.call(n) }",
          "def f",
          "f = { n -> n < 2 ? n : f(n - 1) + f(n - 2) }",
          "def out = [build(6).sum(), f(17)]",
          "out << (1..6000).inject(1) { a, b -> ops[b % 3].ap(a, b) }",
          "out << (1..3000).findAll { it % 7 == 0 }.groupBy { it % 5 }"
              + ".collectEntries { k, v -> [(k): v.sum()] }",
          "out << 'the quick brown fox jumps over the lazy dog'.split(' ')"
              + ".sort { a, b -> b.size() <=> a.size() ?: a <=> b }.join(',')",
          "out << (1..40).collect { \"${it}:${it ** 2}\" }.join(';')",
          "String.metaClass.shout = { -> delegate.toUpperCase() + '!' }",
          "out << 'abc'.shout()",
          "out.toString()");

  @Override
  public long run() {
    long checksum = 0;
    for (int i = 0; i < RUNS; i++) {
      String result = String.valueOf(new GroovyShell().evaluate(SCRIPT));
      checksum = Checksums.mix(checksum, Checksums.crc(result));
    }
    return checksum;
  }
}
