package wl;

import java.util.Random;

/** Generated inputs. They never vary: the specification of java.util.Random fixes its sequence. */
final class Documents {
  private static final String[] WORDS =
      ("alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu"
              + " nu xi omicron pi rho sigma tau upsilon phi chi psi omega")
          .split(" ");

  private Documents() {}

  private static String word(Random random, int among) {
    return WORDS[random.nextInt(among)];
  }

  static String words(Random random, int count) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append(i == 0 ? "" : " ").append(word(random, WORDS.length));
    }
    return text.toString();
  }

  /** An XML catalogue for {@link #stylesheet}: items with prices, tags, text and references. */
  static String catalog(int items, long seed) {
    Random random = new Random(seed);
    StringBuilder xml =
        new StringBuilder("<?xml version=\"1.0\"?>\n<catalog xmlns:x=\"urn:x\">\n");
    for (int i = 0; i < items; i++) {
      xml.append("<item id=\"i").append(i);
      xml.append("\" cat=\"").append(word(random, 12));
      xml.append("\"><name>").append(words(random, 3));
      xml.append("</name><price cur=\"EUR\">").append(random.nextInt(10000) / 100.0);
      xml.append("</price><x:qty>").append(random.nextInt(50));
      xml.append("</x:qty><tags>");
      for (int tag = random.nextInt(5); tag >= 0; tag--) {
        xml.append("<tag>").append(word(random, WORDS.length)).append("</tag>");
      }
      xml.append("</tags><descr><p>").append(words(random, 12));
      xml.append(" <b>").append(words(random, 2));
      xml.append("</b> ").append(words(random, 9)).append(" &amp; &lt;more&gt;</p>");
      if (i > 0 && random.nextBoolean()) {
        xml.append("<ref to=\"i").append(random.nextInt(i)).append("\"/>");
      }
      xml.append("</descr></item>\n");
    }
    return xml.append("</catalog>").toString();
  }

  /** A JSON array of objects with numbers, texts, arrays and objects. */
  static String json(int items) {
    Random random = new Random(11);
    StringBuilder json = new StringBuilder("[");
    for (int i = 0; i < items; i++) {
      json.append(i == 0 ? "" : ",").append("{\"id\":").append(i);
      json.append(",\"name\":\"").append(words(random, 3));
      json.append("\",\"score\":").append(random.nextInt(100000) / 100.0);
      json.append(",\"ok\":").append(random.nextBoolean());
      json.append(",\"tags\":[\"").append(word(random, WORDS.length));
      json.append("\",\"").append(word(random, WORDS.length));
      json.append("\"],\"pos\":{\"x\":").append(random.nextInt(999));
      json.append(",\"y\":").append(random.nextInt(999));
      json.append("},\"kids\":{\"a\":").append(random.nextInt(9)).append(",\"b\":null}}");
    }
    return json.append("]").toString();
  }

  /** XSLT that groups, sorts, looks up by key and recurses. */
  static String stylesheet() {
    return String.join(
        "",
        "<xsl:stylesheet version='1.0' xmlns:xsl='http://www.w3.org/1999/XSL/Transform'",
        " xmlns:x='urn:x'>",
        "<xsl:output method='html' indent='yes'/>",
        "<xsl:key name='id' match='item' use='@id'/>",
        "<xsl:key name='cat' match='item' use='@cat'/>",
        "<xsl:template match='/catalog'><html><body>",
        "<h1>n=<xsl:value-of select='count(item)'/>",
        " sum=<xsl:value-of select=\"format-number(sum(item/price),'#,##0.00')\"/></h1>",
        "<xsl:for-each select=\"item[generate-id()=generate-id(key('cat',@cat)[1])]\">",
        "<xsl:sort select='@cat'/>",
        "<h2><xsl:value-of select=\"translate(@cat,",
        "'abcdefghijklmnopqrstuvwxyz','ABCDEFGHIJKLMNOPQRSTUVWXYZ')\"/></h2>",
        "<table><xsl:apply-templates select=\"key('cat',@cat)\">",
        "<xsl:sort select='price' data-type='number' order='descending'/>",
        "<xsl:sort select='name'/></xsl:apply-templates></table>",
        "</xsl:for-each></body></html></xsl:template>",
        "<xsl:template match='item'><tr class='c{position() mod 3}'>",
        "<td><xsl:apply-templates select='name|price'/></td>",
        "<xsl:choose>",
        "<xsl:when test=\"x:qty &gt; 25 and contains(name,'a')\"><td>many</td></xsl:when>",
        "<xsl:when test=\"starts-with(name,'p')\"><td>p</td></xsl:when>",
        "<xsl:otherwise><td><xsl:value-of select=\"substring-after(name,' ')\"/></td>",
        "</xsl:otherwise></xsl:choose>",
        "<td><xsl:apply-templates select='descr/node()'/></td>",
        "<td><xsl:call-template name='bar'>",
        "<xsl:with-param name='n' select='x:qty'/></xsl:call-template></td>",
        "</tr></xsl:template>",
        "<xsl:template match='ref'>",
        "<a href='#{@to}'><xsl:value-of select=\"key('id',@to)/name\"/></a></xsl:template>",
        "<xsl:template match='b'><b><xsl:value-of select='normalize-space(.)'/></b></xsl:template>",
        "<xsl:template match='p'><p><xsl:apply-templates/></p></xsl:template>",
        "<xsl:template name='bar'><xsl:param name='n'/>",
        "<xsl:if test='$n &gt; 0'>*<xsl:call-template name='bar'>",
        "<xsl:with-param name='n' select='$n - 1'/></xsl:call-template></xsl:if></xsl:template>",
        "</xsl:stylesheet>");
  }

  /** An XSL-FO document: two columns of justified text with page references, and tables. */
  static String formattingObjects(int sections) {
    Random random = new Random(3);
    StringBuilder fo = new StringBuilder();
    fo.append("<fo:root xmlns:fo=\"http://www.w3.org/1999/XSL/Format\"><fo:layout-master-set>");
    fo.append("<fo:simple-page-master master-name=\"p\" page-width=\"21cm\"");
    fo.append(" page-height=\"29.7cm\" margin=\"2cm\">");
    fo.append("<fo:region-body column-count=\"2\" margin-top=\"1cm\"/>");
    fo.append("<fo:region-before extent=\"1cm\"/></fo:simple-page-master></fo:layout-master-set>");
    fo.append("<fo:page-sequence master-reference=\"p\">");
    fo.append("<fo:static-content flow-name=\"xsl-region-before\">");
    fo.append("<fo:block font-size=\"8pt\">page <fo:page-number/></fo:block></fo:static-content>");
    fo.append("<fo:flow flow-name=\"xsl-region-body\">");
    for (int section = 0; section < sections; section++) {
      appendSection(fo, random, section);
    }
    return fo.append("</fo:flow></fo:page-sequence></fo:root>").toString();
  }

  private static void appendSection(StringBuilder fo, Random random, int section) {
    fo.append("<fo:block id=\"s").append(section);
    fo.append("\" font-size=\"14pt\" keep-with-next=\"always\" space-before=\"6pt\">");
    fo.append(words(random, 4)).append("</fo:block>");
    for (int paragraph = 0; paragraph < 3; paragraph++) {
      fo.append("<fo:block text-align=\"justify\" hyphenate=\"false\" space-after=\"3pt\">");
      fo.append(words(random, 60)).append(" <fo:inline font-weight=\"bold\" color=\"red\">");
      fo.append(words(random, 3)).append("</fo:inline> ").append(words(random, 20));
      fo.append(" see <fo:page-number-citation ref-id=\"s").append(random.nextInt(section + 1));
      fo.append("\"/></fo:block>");
    }
    fo.append("<fo:table table-layout=\"fixed\" width=\"100%\" border=\"0.5pt solid black\">");
    fo.append("<fo:table-body>");
    for (int row = 0; row < 6; row++) {
      fo.append("<fo:table-row>");
      for (int column = 0; column < 4; column++) {
        fo.append("<fo:table-cell border=\"0.5pt solid black\" padding=\"2pt\">");
        fo.append("<fo:block font-family=\"Courier\">");
        fo.append(words(random, 1 + random.nextInt(3))).append("</fo:block></fo:table-cell>");
      }
      fo.append("</fo:table-row>");
    }
    fo.append("</fo:table-body></fo:table>");
  }
}
