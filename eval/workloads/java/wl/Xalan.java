package wl;

import java.io.StringReader;
import java.nio.file.Path;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import javax.xml.transform.Templates;
import javax.xml.transform.stream.StreamResult;
import javax.xml.transform.stream.StreamSource;
import org.apache.xalan.processor.TransformerFactoryImpl;

/** Xalan's interpreter: four workers take documents from a queue (as in DaCapo's xalan). */
public final class Xalan implements Workload {
  private static final int TRANSFORMATIONS = 60;
  private static final int WORKERS = 4;
  private final String[] documents = new String[4];
  private Templates stylesheet;

  @Override
  public void setup(Path data) throws Exception {
    for (int i = 0; i < documents.length; i++) {
      documents[i] = Documents.catalog(200 + 20 * i, i);
    }
    stylesheet =
        new TransformerFactoryImpl()
            .newTemplates(new StreamSource(new StringReader(Documents.stylesheet())));
  }

  @Override
  public long run() throws Exception {
    LinkedBlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
    for (int i = 0; i < TRANSFORMATIONS; i++) {
      queue.add(i);
    }
    AtomicLong checksum = new AtomicLong();
    Workers.run(
        WORKERS,
        worker -> {
          for (Integer i; (i = queue.poll()) != null; ) {
            Checksums.Sink out = new Checksums.Sink();
            String document = documents[i % documents.length];
            stylesheet
                .newTransformer()
                .transform(
                    new StreamSource(new StringReader(document)), new StreamResult(out));
            checksum.addAndGet(out.value() * (i + 1));
          }
        });
    return checksum.get();
  }
}
