package programs;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntBinaryOperator;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Lambdas and method references, called by the program and by the JDK's own methods.
 *
 * <p>The hard part are call sites at which the same callee is at times called directly and at times by
 * a method of the JDK that stands between.
 */
public final class Lambdas {
  static final class Text //> Text.compareTo 5997
        implements Comparable<Text> {
    final int value;

    Text(int value) {
      this.value = value;
    }

    int plus(int other) {
      return value + other;
    }

    @Override
    public int compareTo(Text other) { //< Text.compareTo java.util.* 5997
      return Integer.compare(value, other.value);
    }

    @Override
    public String toString() { //< Text.toString java.lang.String.valueOf|java.lang.StringConcatHelper.* 40000
      return "t";
    }
  }

  static int addStatic(int a, int b) {
    return a + b;
  }

  static int calls;

  static Integer increment(Integer x) { //< Lambdas.increment java.util.function.Function.* 160000
    calls++;
    return (x + 1) & 0x7f;
  }

  static int backwards(Integer a, Integer b) { //< Lambdas.backwards java.util.Collections$ReverseComparator2.compare 50000
    return Integer.compare(b, a);
  }

  static Integer length(String key) { //< Lambdas.length java.util.HashMap.computeIfAbsent 10000
    return key.length();
  }

  static int fold(IntBinaryOperator operator, int rounds) {
    int sum = 0;
    for (int i = 0; i < rounds; i++) {
      sum = operator.applyAsInt(sum, i); //> Lambdas.lambda$main$* 70000, Lambdas.addStatic 70000
    }
    return sum;
  }

  static int direct(Text text, int rounds) {
    UnaryOperator<Integer> bound = text::plus;
    int sum = 0;
    for (int i = 0; i < rounds; i++) {
      sum = bound.apply(sum) & 0xff; //> Text.plus 70000
    }
    return sum;
  }

  /** One call site; `f` is increment itself or a wrapper of the JDK's that calls it twice. */
  static int apply(Function<Integer, Integer> f, int rounds) {
    int sum = 0;
    for (int i = 0; i < rounds; i++) {
      sum = f.apply(sum); //> Lambdas.increment 50000
    }
    return sum;
  }

  /** One call site; the comparator is the program's or the JDK's reversal of it. */
  static int compare(Comparator<Integer> comparator, int rounds) {
    int sum = 0;
    for (int i = 0; i < rounds; i++) {
      sum += comparator.compare(i, 100); //> Lambdas.backwards 50000
    }
    return sum;
  }

  static int look(Supplier<Object> supplier, int rounds) {
    int sum = 0;
    for (int i = 0; i < rounds; i++) {
      sum += supplier.get().hashCode(); //> Lambdas.lambda$captured$* 60000, Key.hashCode 60000
    }
    return sum;
  }

  static final class Key {
    @Override
    public int hashCode() {
      return 17;
    }
  }

  static int captured(int rounds) {
    Key key = new Key(); //> Key.<init> 1
    return look(() -> key, rounds); //> Lambdas.look 1
  }

  static int computing(int rounds) {
    int sum = 0;
    for (int i = 0; i < rounds; i++) {
      Map<String, Integer> map = new HashMap<>();
      sum += map.computeIfAbsent("key", Lambdas::length);
      sum += map.computeIfAbsent("key", Lambdas::length);
    }
    return sum;
  }

  static int sorting(int size) {
    List<Text> list = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      list.add(new Text(i)); //> Text.<init> 2000
    }
    // Sorted input costs the sort n - 1 comparisons. Twice, and once through the reversal.
    Collections.sort(list);
    Collections.sort(list);
    list.sort(Collections.reverseOrder());
    return list.get(0).value;
  }

  static int concatenating(int rounds) {
    Text text = new Text(1); //> Text.<init> 1
    int sum = 0;
    for (int i = 0; i < rounds; i++) {
      sum += ("" + text + i).length();
    }
    return sum;
  }

  public static void main(String[] args) { //< Lambdas.main (root) 1
    int sum = fold((a, b) -> a ^ b, 70000); //> Lambdas.fold 1
    sum += fold(Lambdas::addStatic, 70000); //> Lambdas.fold 1
    sum += direct(new Text(5), 70000); //> Lambdas.direct 1, Text.<init> 1
    Function<Integer, Integer> one = Lambdas::increment;
    sum += apply(one, 20000); //> Lambdas.apply 1
    sum += apply(one.andThen(one), 40000); //> Lambdas.apply 1
    sum += apply(one, 30000); //> Lambdas.apply 1
    sum += apply(one.compose(one), 40000); //> Lambdas.apply 1
    Comparator<Integer> order = Lambdas::backwards;
    sum += compare(order, 20000); //> Lambdas.compare 1
    sum += compare(order.reversed(), 50000); //> Lambdas.compare 1
    sum += compare(order, 30000); //> Lambdas.compare 1
    sum += captured(60000); //> Lambdas.captured 1
    sum += computing(10000); //> Lambdas.computing 1
    sum += sorting(2000); //> Lambdas.sorting 1
    sum += concatenating(40000); //> Lambdas.concatenating 1
    System.out.println(sum + " " + calls);
  }
}
