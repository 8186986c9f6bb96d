package wl;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.commons.math3.analysis.differentiation.DerivativeStructure;
import org.apache.commons.math3.fraction.BigFraction;
import org.apache.commons.math3.fraction.BigFractionField;
import org.apache.commons.math3.linear.Array2DRowFieldMatrix;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.EigenDecomposition;
import org.apache.commons.math3.linear.FieldLUDecomposition;
import org.apache.commons.math3.linear.QRDecomposition;
import org.apache.commons.math3.linear.RealMatrix;
import org.apache.commons.math3.linear.SingularValueDecomposition;
import org.apache.commons.math3.ml.clustering.DBSCANClusterer;
import org.apache.commons.math3.ml.clustering.DoublePoint;
import org.apache.commons.math3.ode.FirstOrderDifferentialEquations;
import org.apache.commons.math3.ode.nonstiff.DormandPrince853Integrator;
import org.apache.commons.math3.optim.InitialGuess;
import org.apache.commons.math3.optim.MaxEval;
import org.apache.commons.math3.optim.MaxIter;
import org.apache.commons.math3.optim.linear.LinearConstraint;
import org.apache.commons.math3.optim.linear.LinearConstraintSet;
import org.apache.commons.math3.optim.linear.LinearObjectiveFunction;
import org.apache.commons.math3.optim.linear.NonNegativeConstraint;
import org.apache.commons.math3.optim.linear.Relationship;
import org.apache.commons.math3.optim.linear.SimplexSolver;
import org.apache.commons.math3.optim.nonlinear.scalar.GoalType;
import org.apache.commons.math3.optim.nonlinear.scalar.ObjectiveFunction;
import org.apache.commons.math3.optim.nonlinear.scalar.noderiv.NelderMeadSimplex;
import org.apache.commons.math3.optim.nonlinear.scalar.noderiv.SimplexOptimizer;
import org.apache.commons.math3.transform.DftNormalization;
import org.apache.commons.math3.transform.FastFourierTransformer;
import org.apache.commons.math3.transform.TransformType;

/** Commons Math: linear algebra, differential equations, optimisers, derivatives, clustering. */
public final class Numerics implements Workload {
  private static final int ROUNDS = 5;
  private Random random;
  private long checksum;

  @Override
  public long run() {
    long sum = 0;
    for (int i = 0; i < ROUNDS; i++) {
      sum = Checksums.mix(sum, round());
    }
    return sum;
  }

  private long round() {
    random = new Random(6);
    checksum = 0;
    fractionDeterminant();
    decompositions();
    vanDerPolOscillators();
    linearProgram();
    rosenbrockMinimum();
    automaticDerivatives();
    checksum += fourierTransform();
    clusters();
    return checksum;
  }

  private void add(long value) {
    checksum = Checksums.mix(checksum, value);
  }

  /** Adds a value rounded to a unit of {@code 1 / scale}. */
  private void add(double value, double scale) {
    add(Math.round(value * scale));
  }

  private void fractionDeterminant() {
    int size = 14;
    BigFraction[][] rows = new BigFraction[size][size];
    for (BigFraction[] row : rows) {
      for (int j = 0; j < size; j++) {
        row[j] = new BigFraction(1 + random.nextInt(9), 1 + random.nextInt(9));
      }
    }
    Array2DRowFieldMatrix<BigFraction> matrix =
        new Array2DRowFieldMatrix<>(BigFractionField.getInstance(), rows);
    add(new FieldLUDecomposition<>(matrix).getDeterminant().hashCode());
  }

  private void decompositions() {
    double[][] rows = new double[90][90];
    for (double[] row : rows) {
      for (int j = 0; j < row.length; j++) {
        row[j] = random.nextDouble();
      }
    }
    RealMatrix matrix = new Array2DRowRealMatrix(rows);
    RealMatrix symmetric = matrix.add(matrix.transpose());
    add(new EigenDecomposition(symmetric).getRealEigenvalues()[0], 1e4);
    add(new SingularValueDecomposition(matrix).getNorm(), 1e4);
    add(new QRDecomposition(matrix).getSolver().solve(matrix).getTrace(), 1e3);
  }

  private void vanDerPolOscillators() {
    for (int k = 0; k < 20; k++) {
      double[] state = {2, 0};
      new DormandPrince853Integrator(1e-8, 100, 1e-9, 1e-9)
          .integrate(new VanDerPol(k / 4.0), 0, state, 60, state);
      add(state[0], 1e3);
    }
  }

  private static final class VanDerPol implements FirstOrderDifferentialEquations {
    private final double mu;

    VanDerPol(double mu) {
      this.mu = mu;
    }

    @Override
    public int getDimension() {
      return 2;
    }

    @Override
    public void computeDerivatives(double t, double[] y, double[] derivatives) {
      derivatives[0] = y[1];
      derivatives[1] = mu * (1 - y[0] * y[0]) * y[1] - y[0];
    }
  }

  private void linearProgram() {
    int size = 25;
    List<LinearConstraint> constraints = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      double[] coefficients = new double[size];
      for (int j = 0; j < size; j++) {
        coefficients[j] = random.nextInt(9);
      }
      constraints.add(
          new LinearConstraint(coefficients, Relationship.LEQ, 100 + random.nextInt(100)));
    }
    double[] objective = new double[size];
    Arrays.fill(objective, 1);
    double optimum =
        new SimplexSolver()
            .optimize(
                new MaxIter(5000),
                new LinearObjectiveFunction(objective, 0),
                new LinearConstraintSet(constraints),
                GoalType.MAXIMIZE,
                new NonNegativeConstraint(true))
            .getValue();
    add(optimum, 1e4);
  }

  private void rosenbrockMinimum() {
    double minimum =
        new SimplexOptimizer(1e-9, 1e-12)
            .optimize(
                new MaxEval(20000),
                new ObjectiveFunction(Numerics::rosenbrock),
                GoalType.MINIMIZE,
                new InitialGuess(new double[] {-1, 2, 1, 0.5}),
                new NelderMeadSimplex(4))
            .getValue();
    add(minimum, 1e3);
  }

  private static double rosenbrock(double[] x) {
    double value = 0;
    for (int i = 0; i + 1 < x.length; i++) {
      value += 100 * Math.pow(x[i + 1] - x[i] * x[i], 2) + Math.pow(1 - x[i], 2);
    }
    return value;
  }

  private void automaticDerivatives() {
    for (int i = 0; i < 3000; i++) {
      DerivativeStructure x = new DerivativeStructure(2, 3, 0, i / 100.0);
      DerivativeStructure z = new DerivativeStructure(2, 3, 1, 1.5);
      DerivativeStructure root = x.multiply(z).sqrt().divide(z.add(2)).log1p();
      add(x.sin().multiply(z.exp()).add(root).getPartialDerivative(1, 1), 1e3);
    }
  }

  private static int fourierTransform() {
    return new FastFourierTransformer(DftNormalization.STANDARD)
        .transform(new double[1 << 14], TransformType.FORWARD)
        .length;
  }

  private void clusters() {
    List<DoublePoint> points = new ArrayList<>();
    for (int i = 0; i < 900; i++) {
      double x = random.nextGaussian() + i % 5 * 4;
      double y = random.nextGaussian() + i % 3 * 5;
      points.add(new DoublePoint(new double[] {x, y}));
    }
    add(new DBSCANClusterer<DoublePoint>(0.5, 5).cluster(points).size());
  }
}
