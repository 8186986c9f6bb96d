package wl;

import java.io.ByteArrayOutputStream;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.logging.LogManager;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.sax.SAXResult;
import javax.xml.transform.stream.StreamSource;
import org.apache.fop.apps.FopFactory;

/** FOP lays out a generated document to an area tree. */
public final class Fop implements Workload {
  private final String document = Documents.formattingObjects(80);
  private FopFactory factory;

  @Override
  public void setup(Path data) throws Exception {
    LogManager.getLogManager().reset();
    factory = FopFactory.newInstance(data.toUri());
  }

  @Override
  public long run() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    org.apache.fop.apps.Fop fop =
        factory.newFop("application/X-fop-areatree", factory.newFOUserAgent(), out);
    TransformerFactory.newInstance()
        .newTransformer()
        .transform(
            new StreamSource(new StringReader(document)), new SAXResult(fop.getDefaultHandler()));
    return Checksums.crc(out.toByteArray()) + out.size() * 31L;
  }
}
