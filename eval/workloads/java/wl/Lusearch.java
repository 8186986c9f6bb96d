package wl;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.IntField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.queryparser.classic.QueryParser;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.RAMDirectory;
import org.apache.lucene.util.Version;

/** Lucene: four threads parse and run queries against one searcher over sources of the JDK. */
public final class Lusearch implements Workload {
  private static final int MAX_FILES = 200;
  private static final int MAX_WORDS = 60_000;
  private static final int WORDS_FROM_CHARS = 9000;
  private static final int QUERIES = 2400;
  private static final int THREADS = 4;

  private final List<String> queries = new ArrayList<>();
  private Directory index;

  @Override
  public void setup(Path data) throws Exception {
    List<Path> files = Trees.files(data.resolve("jdksrc/java.base/java"), ".java");
    files = files.subList(0, Math.min(MAX_FILES, files.size()));
    List<String> words = new ArrayList<>();
    index = new RAMDirectory();
    IndexWriterConfig config = new IndexWriterConfig(Version.LATEST, new EnglishAnalyzer());
    config.setMergeScheduler(new SerialMergeScheduler());
    config.setMaxBufferedDocs(60);
    config.setRAMBufferSizeMB(64);
    try (IndexWriter writer = new IndexWriter(index, config)) {
      for (Path file : files) {
        String text = Trees.read(file);
        addDocuments(writer, data.relativize(file).toString(), text);
        addWords(words, text.substring(0, Math.min(WORDS_FROM_CHARS, text.length())));
      }
      writer.forceMerge(1);
    }
    makeQueries(words);
  }

  /** One document for each part between Javadoc comments. */
  private static void addDocuments(IndexWriter writer, String name, String text) throws Exception {
    int part = 0;
    for (String partText : text.split("/\\*\\*")) {
      Document document = new Document();
      document.add(new StringField("name", name, Field.Store.YES));
      document.add(new IntField("part", part++, Field.Store.YES));
      document.add(new TextField("text", partText, Field.Store.NO));
      writer.addDocument(document);
    }
  }

  private static void addWords(List<String> words, String text) {
    for (String word : text.split("[^a-zA-Z]+")) {
      if (word.length() > 3 && words.size() < MAX_WORDS) {
        words.add(word.toLowerCase(Locale.ROOT));
      }
    }
  }

  private void makeQueries(List<String> words) {
    Random random = new Random(5);
    for (int i = 0; i < QUERIES; i++) {
      String a = words.get(random.nextInt(words.size()));
      String b = words.get(random.nextInt(words.size()));
      String c = words.get(random.nextInt(words.size()));
      switch (i % 6) {
        case 0:
          queries.add(a + " " + b + " " + c);
          break;
        case 1:
          queries.add("+" + a + " +" + b + " -" + c);
          break;
        case 2:
          queries.add("\"" + a + " " + b + "\"~8");
          break;
        case 3:
          queries.add(a.substring(0, 3) + "* AND " + b);
          break;
        case 4:
          queries.add(a + "~1 OR " + b);
          break;
        default:
          queries.add("(" + a + " OR " + b + ") AND part:[0 TO 9] " + c);
      }
    }
  }

  @Override
  public long run() throws Exception {
    AtomicInteger next = new AtomicInteger();
    AtomicLong checksum = new AtomicLong();
    try (DirectoryReader reader = DirectoryReader.open(index)) {
      IndexSearcher searcher = new IndexSearcher(reader);
      Workers.run(
          THREADS,
          worker -> {
            QueryParser parser = new QueryParser("text", new EnglishAnalyzer());
            parser.setAllowLeadingWildcard(false);
            for (int i; (i = next.getAndIncrement()) < queries.size(); ) {
              TopDocs found = searcher.search(parser.parse(queries.get(i)), 20);
              long hits = found.totalHits;
              for (ScoreDoc hit : found.scoreDocs) {
                hits += Checksums.crc(reader.document(hit.doc).get("name")) % 1009 * 3;
              }
              checksum.addAndGet(Checksums.mix(hits, i));
            }
          });
    }
    return checksum.get();
  }
}
