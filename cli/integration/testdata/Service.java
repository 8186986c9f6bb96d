import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;

/**
 * An HTTP service with known call counts: /count makes one call of count and CALLS of leaf, /load one
 * of load and CALLS of other. Prints its port, and ends when its input does.
 */
public class Service {
  static final int CALLS = 1000;

  static int leaf(int x) {
    return x * 31 + 7;
  }

  static int other(int x) {
    return x * 17 + 3;
  }

  static int count() {
    int sum = 0;
    for (int i = 0; i < CALLS; i++) {
      sum += leaf(i);
    }
    return sum;
  }

  static int load() {
    int sum = 0;
    for (int i = 0; i < CALLS; i++) {
      sum += other(i);
    }
    return sum;
  }

  static void answer(HttpExchange exchange, int number) throws IOException {
    byte[] text = Integer.toString(number).getBytes(StandardCharsets.US_ASCII);
    exchange.sendResponseHeaders(200, text.length);
    exchange.getResponseBody().write(text);
    exchange.close();
  }

  public static void main(String[] args) throws IOException {
    // Else an answer of two packets waits for the first one's receipt.
    System.setProperty("sun.net.httpserver.nodelay", "true");
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/count", exchange -> answer(exchange, count()));
    server.createContext("/load", exchange -> answer(exchange, load()));
    server.setExecutor(Executors.newFixedThreadPool(4));
    server.start();
    System.out.println(server.getAddress().getPort());
    while (System.in.read() >= 0) {}
    System.exit(0);
  }
}
