import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.TreeMap;
import java.util.concurrent.Executors;

/** Counts words over HTTP on 127.0.0.1 and is its own client; until it is killed. */
public final class Service {
    private static final String TEXT = "the quick brown fox jumps over the lazy dog and the cat ";

    public static void main(String[] arguments) throws Exception {
        // Else headers and body wait for each other, and the service idles.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newFixedThreadPool(2));
        server.createContext("/", Service::answer);
        server.start();
        System.out.println("serving");
        URL url = new URL("http://127.0.0.1:" + server.getAddress().getPort() + "/");
        while (true) {
            try (InputStream answer = url.openStream()) {
                answer.readAllBytes();
            }
        }
    }

    private static void answer(HttpExchange exchange) throws IOException {
        byte[] body = count(TEXT.repeat(200)).getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private static String count(String text) {
        TreeMap<String, Integer> words = new TreeMap<>();
        int begin = 0;
        for (int i = 0; i < text.length(); ++i) {
            if (!isBlank(text.charAt(i))) continue;
            words.merge(text.substring(begin, i), 1, Service::add);
            begin = i + 1;
        }
        return words.toString();
    }

    private static boolean isBlank(char c) {
        return c == ' ';
    }

    private static Integer add(Integer a, Integer b) {
        return a + b;
    }
}
