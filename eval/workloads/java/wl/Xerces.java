package wl;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.SAXParserFactory;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import javax.xml.validation.Validator;
import org.apache.xerces.jaxp.DocumentBuilderFactoryImpl;
import org.apache.xerces.jaxp.SAXParserFactoryImpl;
import org.apache.xerces.jaxp.validation.XMLSchemaFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.w3c.dom.ls.DOMImplementationLS;
import org.w3c.dom.ls.LSOutput;
import org.xml.sax.Attributes;
import org.xml.sax.SAXParseException;
import org.xml.sax.helpers.DefaultHandler;

/** Xerces validates a document, parses it to events and to a tree, walks and writes the tree. */
public final class Xerces implements Workload {
  private static final int ITEMS = 1500;
  private static final int ROUNDS = 5;
  private static final String SCHEMA =
      "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'><xs:element name='catalog'>"
          + "<xs:complexType><xs:sequence><xs:element name='item' maxOccurs='unbounded'>"
          + "<xs:complexType><xs:sequence><xs:element name='name'><xs:simpleType>"
          + "<xs:restriction base='xs:string'><xs:pattern value='[a-z ]+'/></xs:restriction>"
          + "</xs:simpleType></xs:element><xs:element name='price'><xs:complexType>"
          + "<xs:simpleContent><xs:extension base='xs:decimal'>"
          + "<xs:attribute name='cur' type='xs:NCName'/></xs:extension></xs:simpleContent>"
          + "</xs:complexType></xs:element><xs:any namespace='##other' processContents='lax'/>"
          + "<xs:element name='tags'><xs:complexType><xs:sequence>"
          + "<xs:element name='tag' type='xs:token' maxOccurs='9'/></xs:sequence>"
          + "</xs:complexType></xs:element><xs:element name='descr'><xs:complexType>"
          + "<xs:sequence><xs:element name='p'><xs:complexType mixed='true'>"
          + "<xs:choice minOccurs='0' maxOccurs='unbounded'>"
          + "<xs:element name='b' type='xs:string'/></xs:choice></xs:complexType></xs:element>"
          + "<xs:element name='ref' minOccurs='0'><xs:complexType>"
          + "<xs:attribute name='to' type='xs:IDREF'/></xs:complexType></xs:element>"
          + "</xs:sequence></xs:complexType></xs:element></xs:sequence>"
          + "<xs:attribute name='id' type='xs:ID'/><xs:attribute name='cat' type='xs:NMTOKEN'/>"
          + "</xs:complexType></xs:element></xs:sequence></xs:complexType></xs:element>"
          + "</xs:schema>";

  private byte[] document;
  private Schema schema;

  @Override
  public void setup(Path data) throws Exception {
    document = Documents.catalog(ITEMS, 77).getBytes(StandardCharsets.UTF_8);
    schema = new XMLSchemaFactory().newSchema(new StreamSource(new StringReader(SCHEMA)));
  }

  @Override
  public long run() throws Exception {
    Census census = new Census();
    for (int i = 0; i < ROUNDS; i++) {
      validate(census);
      parse(census);
      buildAndWrite(census);
    }
    return census.checksum;
  }

  private InputStream input() {
    return new ByteArrayInputStream(document);
  }

  private void validate(Census census) throws Exception {
    Validator validator = schema.newValidator();
    validator.setErrorHandler(
        new DefaultHandler() {
          @Override
          public void error(SAXParseException error) {
            census.checksum += Checksums.crc(error.getMessage());
          }
        });
    validator.validate(new StreamSource(input()));
  }

  private void parse(Census census) throws Exception {
    SAXParserFactory factory = new SAXParserFactoryImpl();
    factory.setNamespaceAware(true);
    factory.newSAXParser().parse(input(), census);
  }

  private void buildAndWrite(Census census) throws Exception {
    DocumentBuilderFactory factory = new DocumentBuilderFactoryImpl();
    factory.setNamespaceAware(true);
    Document tree = factory.newDocumentBuilder().parse(input());
    census.walk(tree.getDocumentElement());
    NodeList tags = tree.getElementsByTagName("tag");
    for (int i = 0; i < tags.getLength(); i++) {
      census.checksum += tags.item(i).getTextContent().length();
    }
    Checksums.Sink sink = new Checksums.Sink();
    DOMImplementationLS implementation = (DOMImplementationLS) tree.getImplementation();
    LSOutput output = implementation.createLSOutput();
    output.setByteStream(sink);
    implementation.createLSSerializer().write(tree, output);
    census.checksum += sink.value();
  }

  /** Sums up what it is told or finds. */
  private static final class Census extends DefaultHandler {
    long checksum;

    @Override
    public void startElement(String uri, String local, String name, Attributes attributes) {
      checksum = Checksums.mix(checksum, name.hashCode() + attributes.getLength());
    }

    @Override
    public void characters(char[] text, int start, int length) {
      checksum += length;
    }

    void walk(Node node) {
      checksum = Checksums.mix(checksum, node.getNodeName().hashCode());
      if (node.getNodeType() == Node.TEXT_NODE) {
        checksum += node.getNodeValue().length();
      }
      for (Node child = node.getFirstChild(); child != null; child = child.getNextSibling()) {
        walk(child);
      }
    }
  }
}
