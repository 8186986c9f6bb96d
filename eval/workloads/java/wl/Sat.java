package wl;

import java.util.Arrays;
import java.util.Random;
import org.sat4j.core.VecInt;
import org.sat4j.minisat.SolverFactory;
import org.sat4j.specs.ContradictionException;
import org.sat4j.specs.ISolver;
import org.sat4j.specs.TimeoutException;

/**
 * SAT4J on formulas of three kinds: random clauses about as likely satisfiable as not, pigeons in
 * too few holes, colours of a random graph. Conflicts, learnt clauses, watched literals, heaps.
 */
public final class Sat implements Workload {
  private static final int RANDOM_FORMULAS = 26;
  private static final int VARIABLES = 160;
  private static final double CLAUSES_PER_VARIABLE = 4.26;
  private static final int HOLES = 7;
  private static final int VERTICES = 70;
  private static final int NEIGHBOURS = 9;
  private static final int COLOURS = 4;

  @Override
  public long run() throws TimeoutException {
    long checksum = 0;
    for (int seed = 0; seed < RANDOM_FORMULAS; seed++) {
      checksum = Checksums.mix(checksum, randomClauses(new Random(seed)).solve());
    }
    checksum = Checksums.mix(checksum, pigeons().solve());
    for (int seed = 0; seed < 4; seed++) {
      checksum = Checksums.mix(checksum, colours(new Random(seed)).solve());
    }
    return checksum;
  }

  private static Formula randomClauses(Random random) {
    Formula formula = new Formula(VARIABLES);
    for (int i = 0; i < VARIABLES * CLAUSES_PER_VARIABLE; i++) {
      int a = 1 + random.nextInt(VARIABLES);
      int b = other(random, a, VARIABLES);
      int c = other(random, b, VARIABLES);
      formula.add(signed(random, a), signed(random, b), signed(random, c));
    }
    return formula;
  }

  /** Another of the numbers from 1 to {@code count}. */
  private static int other(Random random, int number, int count) {
    return 1 + (number + random.nextInt(count - 1)) % count;
  }

  private static int signed(Random random, int variable) {
    return random.nextBoolean() ? variable : -variable;
  }

  /** One pigeon more than there are holes: each sits in one, and none with another. */
  private static Formula pigeons() {
    Formula formula = new Formula((HOLES + 1) * HOLES);
    for (int pigeon = 0; pigeon <= HOLES; pigeon++) {
      formula.addOneOf(pigeon * HOLES + 1, HOLES);
    }
    for (int hole = 1; hole <= HOLES; hole++) {
      for (int pigeon = 0; pigeon <= HOLES; pigeon++) {
        for (int other = 0; other < pigeon; other++) {
          formula.add(-(pigeon * HOLES + hole), -(other * HOLES + hole));
        }
      }
    }
    return formula;
  }

  private static Formula colours(Random random) {
    Formula formula = new Formula(VERTICES * COLOURS);
    for (int vertex = 0; vertex < VERTICES; vertex++) {
      formula.addOneOf(vertex * COLOURS + 1, COLOURS);
    }
    for (int i = 0; i < VERTICES * NEIGHBOURS / 2; i++) {
      int from = 1 + random.nextInt(VERTICES);
      int to = other(random, from, VERTICES);
      for (int colour = 0; colour < COLOURS; colour++) {
        formula.add(colour - from * COLOURS, colour - to * COLOURS);
      }
    }
    return formula;
  }

  /** A solver and whether its clauses contradict each other already. */
  private static final class Formula {
    private final ISolver solver = SolverFactory.newDefault();
    private boolean isContradiction;

    Formula(int variables) {
      solver.newVar(variables);
    }

    void add(int... clause) {
      try {
        solver.addClause(new VecInt(clause));
      } catch (ContradictionException e) {
        isContradiction = true;
      }
    }

    void addOneOf(int first, int count) {
      int[] clause = new int[count];
      Arrays.setAll(clause, i -> first + i);
      add(clause);
    }

    /** A checksum of the answer, the model, and the number of conflicts on the way to it. */
    long solve() throws TimeoutException {
      if (isContradiction || !solver.isSatisfiable()) {
        return 1 + 8 * conflicts();
      }
      return 2 + Arrays.hashCode(solver.model()) + 8 * conflicts();
    }

    private long conflicts() {
      return ((Number) solver.getStat().get("conflicts")).longValue();
    }
  }
}
