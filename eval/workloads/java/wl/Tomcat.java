package wl;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.LogManager;
import javax.el.ELProcessor;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpSession;
import org.apache.catalina.Context;

/**
 * Tomcat on a loopback port of its own choice: four clients ask a servlet that evaluates
 * expressions and opens a session for each request.
 */
public final class Tomcat implements Workload {
  private static final int CLIENTS = 4;
  private static final int REQUESTS = 4000;
  private int port;

  @Override
  public void setup(Path data) throws Exception {
    LogManager.getLogManager().reset();
    org.apache.catalina.startup.Tomcat tomcat = new org.apache.catalina.startup.Tomcat();
    String base = Trees.temporaryFolder("tomcat").toString();
    tomcat.setBaseDir(base);
    tomcat.setPort(0);
    tomcat.setHostname("localhost");
    tomcat.getConnector().setProperty("address", "127.0.0.1");
    tomcat.getConnector().setProperty("maxThreads", "4");
    tomcat.getConnector().setProperty("minSpareThreads", "4");
    Context context = tomcat.addContext("", base);
    org.apache.catalina.startup.Tomcat.addServlet(context, "s", new Page());
    context.addServletMappingDecoded("/s", "s");
    tomcat.start();
    port = tomcat.getConnector().getLocalPort();
  }

  @Override
  public long run() throws Exception {
    AtomicInteger next = new AtomicInteger();
    AtomicLong checksum = new AtomicLong();
    Workers.run(
        CLIENTS,
        worker -> {
          for (int i; (i = next.getAndIncrement()) < REQUESTS; ) {
            checksum.addAndGet(Checksums.mix(i, Checksums.crc(request(i))));
          }
        });
    return checksum.get();
  }

  private byte[] request(int number) throws IOException {
    URL url = new URL("http://127.0.0.1:" + port + "/s?n=" + number);
    HttpURLConnection connection = (HttpURLConnection) url.openConnection();
    try (InputStream in = connection.getInputStream()) {
      return in.readAllBytes();
    }
  }

  private static final class Page extends HttpServlet {
    private static final String EXPRESSION =
        "n mod 7 == i ? 'hit ' += n * i : req.getParameter('n') += '-' += (i + 1) / 2";

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      int number = Integer.parseInt(request.getParameter("n"));
      ELProcessor expressions = new ELProcessor();
      expressions.defineBean("n", number);
      expressions.defineBean("req", request);
      PrintWriter out = response.getWriter();
      response.setContentType("text/html");
      synchronized (this) {
        out.print(getServletName());
      }
      for (int i = 0; i < 12; i++) {
        expressions.defineBean("i", i);
        out.print("<p>" + expressions.eval(EXPRESSION) + "</p>");
      }
      HttpSession session = request.getSession(true);
      session.setAttribute("n", number);
      out.print(session.getAttribute("n"));
    }
  }
}
