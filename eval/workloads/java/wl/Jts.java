package wl;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Envelope;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.GeometryFactory;
import org.locationtech.jts.geom.prep.PreparedGeometry;
import org.locationtech.jts.geom.prep.PreparedGeometryFactory;
import org.locationtech.jts.index.strtree.STRtree;
import org.locationtech.jts.io.WKTReader;
import org.locationtech.jts.io.WKTWriter;
import org.locationtech.jts.operation.union.CascadedPolygonUnion;
import org.locationtech.jts.simplify.DouglasPeuckerSimplifier;
import org.locationtech.jts.triangulate.DelaunayTriangulationBuilder;

/**
 * JTS on a map of generated lakes: four threads overlay, surround, simplify and triangulate them,
 * and look for their neighbours in a tree that they share.
 */
public final class Jts implements Workload {
  private static final int LAKES = 200;
  private static final int SHORE_POINTS = 48;
  private static final double MAP_SIZE = 1000;
  private static final double SHORE_WIDTH = 3;
  private static final int THREADS = 4;

  private final List<String> lakes = new ArrayList<>();

  @Override
  public void setup(Path data) {
    GeometryFactory factory = new GeometryFactory();
    Random random = new Random(6);
    for (int i = 0; i < LAKES; i++) {
      lakes.add(new WKTWriter().write(factory.createPolygon(shore(random))));
    }
  }

  /** A star-shaped ring, on a grid of sixteenths. */
  private static Coordinate[] shore(Random random) {
    double x = random.nextInt((int) MAP_SIZE);
    double y = random.nextInt((int) MAP_SIZE);
    Coordinate[] shore = new Coordinate[SHORE_POINTS + 1];
    for (int i = 0; i < SHORE_POINTS; i++) {
      double angle = 2 * Math.PI * i / SHORE_POINTS;
      double radius = 25 + random.nextInt(30);
      shore[i] =
          new Coordinate(
              x + Math.rint(16 * radius * Math.cos(angle)) / 16,
              y + Math.rint(16 * radius * Math.sin(angle)) / 16);
    }
    shore[SHORE_POINTS] = shore[0];
    return shore;
  }

  @Override
  public long run() throws Exception {
    List<Geometry> map = new ArrayList<>();
    STRtree tree = new STRtree();
    for (String lake : lakes) {
      Geometry geometry = new WKTReader().read(lake);
      map.add(geometry);
      tree.insert(geometry.getEnvelopeInternal(), geometry);
    }
    tree.build();
    AtomicInteger next = new AtomicInteger();
    AtomicLong checksum = new AtomicLong();
    Workers.run(
        THREADS,
        worker -> {
          for (int i; (i = next.getAndIncrement()) < LAKES; ) {
            checksum.addAndGet(Checksums.mix(i, survey(map.get(i), tree)));
          }
        });
    Geometry water = CascadedPolygonUnion.union(map);
    return Checksums.mix(checksum.get(), rounded(water.getArea()) + water.getNumGeometries());
  }

  private static long survey(Geometry lake, STRtree tree) {
    Geometry land = lake.buffer(SHORE_WIDTH).difference(lake);
    PreparedGeometry prepared = PreparedGeometryFactory.prepare(lake);
    long checksum = rounded(land.getArea());
    Envelope around = land.getEnvelopeInternal();
    for (Object found : tree.query(around)) {
      Geometry other = (Geometry) found;
      if (other != lake && prepared.intersects(other)) {
        checksum += rounded(lake.intersection(other).getArea());
        land = land.difference(other);
        checksum += lake.contains(other.getCentroid()) ? 1 : 0;
      } else {
        checksum += rounded(lake.distance(other));
      }
    }
    Geometry simple = DouglasPeuckerSimplifier.simplify(lake, 2);
    checksum += rounded(land.getLength()) + 3 * simple.getNumPoints();
    checksum += simple.isValid() ? 5 : 7;
    DelaunayTriangulationBuilder triangles = new DelaunayTriangulationBuilder();
    triangles.setSites(simple);
    return checksum + 11 * triangles.getTriangles(lake.getFactory()).getNumGeometries();
  }

  /** In steps that no order of floating-point operations matters to. */
  private static long rounded(double value) {
    return Math.round(value * 1000);
  }
}
