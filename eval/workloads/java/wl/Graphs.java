package wl;

import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jgrapht.Graph;
import org.jgrapht.alg.clique.BronKerboschCliqueFinder;
import org.jgrapht.alg.color.SaturationDegreeColoring;
import org.jgrapht.alg.connectivity.KosarajuStrongConnectivityInspector;
import org.jgrapht.alg.flow.EdmondsKarpMFImpl;
import org.jgrapht.alg.flow.PushRelabelMFImpl;
import org.jgrapht.alg.matching.GreedyWeightedMatching;
import org.jgrapht.alg.scoring.PageRank;
import org.jgrapht.alg.shortestpath.BellmanFordShortestPath;
import org.jgrapht.alg.shortestpath.DijkstraShortestPath;
import org.jgrapht.alg.spanning.KruskalMinimumSpanningTree;
import org.jgrapht.alg.spanning.PrimMinimumSpanningTree;
import org.jgrapht.graph.DefaultWeightedEdge;
import org.jgrapht.graph.SimpleDirectedWeightedGraph;
import org.jgrapht.graph.SimpleWeightedGraph;

/** JGraphT's algorithms on a random graph, directed and not: generic code, heaps, iterators. */
public final class Graphs implements Workload {
  private static final int VERTICES = 900;
  private static final int SOURCES = 60;

  @Override
  public long run() {
    Graph<Integer, DefaultWeightedEdge> directed =
        new SimpleDirectedWeightedGraph<>(DefaultWeightedEdge.class);
    Graph<Integer, DefaultWeightedEdge> undirected =
        new SimpleWeightedGraph<>(DefaultWeightedEdge.class);
    fill(directed, undirected);
    long checksum = shortestPaths(directed);
    checksum =
        mix(checksum, new KruskalMinimumSpanningTree<>(undirected).getSpanningTree().getWeight());
    checksum =
        mix(checksum, new PrimMinimumSpanningTree<>(undirected).getSpanningTree().getWeight());
    checksum =
        mix(
            checksum,
            new KosarajuStrongConnectivityInspector<>(directed).stronglyConnectedSets().size());
    for (int sink = 1; sink < 8; sink++) {
      checksum =
          mix(
              checksum,
              new PushRelabelMFImpl<>(directed).getMaximumFlowValue(0, sink)
                  + new EdmondsKarpMFImpl<>(directed).getMaximumFlowValue(0, sink));
    }
    checksum = mix(checksum, Math.round(ranks(directed) * 1e6));
    checksum =
        mix(checksum, new SaturationDegreeColoring<>(undirected).getColoring().getNumberColors());
    int cliques = 0;
    for (Set<Integer> clique : new BronKerboschCliqueFinder<>(undirected)) {
      cliques += clique.size();
    }
    checksum = mix(checksum, cliques);
    return mix(checksum, new GreedyWeightedMatching<>(undirected, false).getMatching().getWeight());
  }

  private static long mix(long checksum, double value) {
    return Checksums.mix(checksum, (long) value);
  }

  private static void fill(
      Graph<Integer, DefaultWeightedEdge> directed,
      Graph<Integer, DefaultWeightedEdge> undirected) {
    for (int i = 0; i < VERTICES; i++) {
      directed.addVertex(i);
      undirected.addVertex(i);
    }
    Random random = new Random(8);
    for (int i = 0; i < VERTICES * 6; i++) {
      int from = random.nextInt(VERTICES);
      int to = random.nextInt(VERTICES);
      if (from != to) {
        int weight = 1 + random.nextInt(50);
        addEdge(directed, from, to, weight);
        addEdge(undirected, from, to, weight);
      }
    }
  }

  private static void addEdge(
      Graph<Integer, DefaultWeightedEdge> graph, int from, int to, int weight) {
    DefaultWeightedEdge edge = graph.addEdge(from, to);
    if (edge != null) {
      graph.setEdgeWeight(edge, weight);
    }
  }

  private static long shortestPaths(Graph<Integer, DefaultWeightedEdge> graph) {
    long checksum = 0;
    for (int source = 0; source < SOURCES; source++) {
      double length =
          new DijkstraShortestPath<>(graph).getPaths(source).getWeight(VERTICES - 1 - source);
      checksum = mix(checksum, length);
      double same =
          new BellmanFordShortestPath<>(graph).getPaths(source).getWeight(source + 100);
      checksum = mix(checksum, same * (source % 10 == 0 ? 1 : 0));
    }
    return checksum;
  }

  private static double ranks(Graph<Integer, DefaultWeightedEdge> graph) {
    double sum = 0;
    for (Map.Entry<Integer, Double> rank : new PageRank<>(graph).getScores().entrySet()) {
      sum += rank.getValue() * (rank.getKey() % 13);
    }
    return sum;
  }
}
