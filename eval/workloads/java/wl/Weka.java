package wl;

import java.nio.file.Path;
import java.util.Random;
import weka.classifiers.Classifier;
import weka.classifiers.Evaluation;
import weka.classifiers.bayes.NaiveBayes;
import weka.classifiers.functions.SMO;
import weka.classifiers.lazy.IBk;
import weka.classifiers.trees.J48;
import weka.classifiers.trees.RandomForest;
import weka.clusterers.ClusterEvaluation;
import weka.clusterers.SimpleKMeans;
import weka.core.Attribute;
import weka.core.FastVector;
import weka.core.Instance;
import weka.core.Instances;

/** Weka learns classes of generated points by five methods, each cross-validated; and clusters. */
public final class Weka implements Workload {
  private static final int POINTS = 1100;
  private static final int NUMBERS = 8;
  private static final int COLOURS = 5;
  private static final int CLASSES = 3;
  private static final int FOLDS = 4;
  private static final int CLUSTERS = 6;

  private Instances points;

  @Override
  public void setup(Path data) {
    points = points(new Random(12));
  }

  @Override
  public long run() throws Exception {
    RandomForest forest = new RandomForest();
    forest.setNumTrees(20);
    J48 tree = new J48();
    long checksum = 0;
    for (Classifier classifier :
        new Classifier[] {tree, forest, new NaiveBayes(), new SMO(), new IBk(5)}) {
      checksum = Checksums.mix(checksum, confusion(classifier));
    }
    tree.buildClassifier(points);
    checksum = Checksums.mix(checksum, Checksums.crc(tree.toString()));
    return Checksums.mix(checksum, clusters());
  }

  /** Points of several numbers and one colour, whose class follows from them but for some noise. */
  private static Instances points(Random random) {
    FastVector attributes = new FastVector();
    for (int i = 0; i < NUMBERS; i++) {
      attributes.addElement(new Attribute("x" + i));
    }
    attributes.addElement(new Attribute("colour", names("c", COLOURS)));
    attributes.addElement(new Attribute("class", names("k", CLASSES)));
    Instances points = new Instances("points", attributes, POINTS);
    points.setClassIndex(NUMBERS + 1);
    for (int i = 0; i < POINTS; i++) {
      Instance point = new Instance(NUMBERS + 2);
      point.setDataset(points);
      for (int k = 0; k < NUMBERS; k++) {
        point.setValue(k, random.nextInt(1000) / 8.0);
      }
      int colour = random.nextInt(COLOURS);
      point.setValue(NUMBERS, colour);
      double score = point.value(0) + point.value(1) - point.value(2) * colour / 2;
      boolean isNoise = random.nextInt(10) == 0;
      point.setClassValue(isNoise ? random.nextInt(CLASSES) : score < 0 ? 0 : score < 70 ? 1 : 2);
      points.add(point);
    }
    return points;
  }

  private static FastVector names(String prefix, int count) {
    FastVector names = new FastVector();
    for (int i = 0; i < count; i++) {
      names.addElement(prefix + i);
    }
    return names;
  }

  private long confusion(Classifier classifier) throws Exception {
    Evaluation evaluation = new Evaluation(points);
    evaluation.crossValidateModel(classifier, points, FOLDS, new Random(1));
    long checksum = 0;
    for (double[] row : evaluation.confusionMatrix()) {
      for (double count : row) {
        checksum = Checksums.mix(checksum, (long) count);
      }
    }
    return checksum;
  }

  private long clusters() throws Exception {
    Instances unlabelled = new Instances(points);
    unlabelled.setClassIndex(-1);
    unlabelled.deleteAttributeAt(NUMBERS + 1);
    SimpleKMeans means = new SimpleKMeans();
    means.setNumClusters(CLUSTERS);
    means.buildClusterer(unlabelled);
    ClusterEvaluation evaluation = new ClusterEvaluation();
    evaluation.setClusterer(means);
    evaluation.evaluateClusterer(unlabelled);
    long checksum = 0;
    for (double cluster : evaluation.getClusterAssignments()) {
      checksum = Checksums.mix(checksum, (long) cluster);
    }
    return checksum;
  }
}
