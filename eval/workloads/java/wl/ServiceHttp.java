package wl;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Orders over HTTP on a loopback port of its own choice, kept in H2. A process of its own
 * (inputs/load.py) asks for them as clients that pause between two requests; the server's threads
 * wait for requests, and for one of too few database connections. Each client has accounts of its
 * own, so that answers do not depend on the order of clients; all contend for the rows of the stock.
 */
public final class ServiceHttp implements Workload {
  private static final String URL = "jdbc:h2:mem:orders;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=20000";
  private static final int CLIENTS = 16;
  private static final int REQUESTS_PER_CLIENT = 150;
  private static final int ACCOUNTS_PER_CLIENT = 25;
  private static final int LONGEST_PAUSE_MICROS = 4000;
  private static final int SERVERS = 8;
  private static final int CONNECTIONS = 4;
  private static final int ITEMS = 10;
  private static final int LOAD_LIMIT_SECONDS = 300;

  /** H2's codes for a deadlock, a lock time-out and a concurrent update: try again. */
  private static final Set<Integer> CONFLICTS = Set.of(40001, 50200, 90131);

  private static final LongAdder HANDLE =
      Counts.of("wl.ServiceHttp$Handler.handle(Lcom/sun/net/httpserver/HttpExchange;)V");
  private static final LongAdder ORDER = Counts.of("wl.ServiceHttp$Session.order(III)J");
  private static final LongAdder BALANCE = Counts.of("wl.ServiceHttp$Session.balance(I)J");
  private static final LongAdder CELL =
      Counts.of("wl.ServiceHttp$Page.cell(Ljava/lang/String;J)V");
  private static final LongAdder PRICE = Counts.of("wl.ServiceHttp.price(III)J");

  private final BlockingQueue<Session> sessions = new ArrayBlockingQueue<>(CONNECTIONS);
  private Path data;
  private int port;

  @Override
  public void setup(Path data) throws Exception {
    this.data = data;
    createTables();
    for (int i = 0; i < CONNECTIONS; i++) {
      sessions.add(new Session(DriverManager.getConnection(URL, "SA", "")));
    }
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    server.createContext("/", new Handler());
    server.setExecutor(Executors.newFixedThreadPool(SERVERS));
    server.start();
    port = server.getAddress().getPort();
  }

  @Override
  public long run() throws Exception {
    long before = HANDLE.sum();
    reset();
    long checksum = load();
    long handled = HANDLE.sum() - before;
    if (handled != CLIENTS * REQUESTS_PER_CLIENT) {
      throw new IllegalStateException("the server handled " + handled + " requests");
    }
    try (Connection connection = DriverManager.getConnection(URL, "SA", "");
        Statement statement = connection.createStatement()) {
      for (String report :
          List.of(
              "SELECT SUM(BALANCE),COUNT(*) FROM ACCOUNT",
              "SELECT SUM(QUANTITY),COUNT(*) FROM ORDERS",
              "SELECT ITEM, LEFT_OVER FROM STOCK ORDER BY ITEM")) {
        try (ResultSet rows = statement.executeQuery(report)) {
          while (rows.next()) {
            checksum = Checksums.mix(Checksums.mix(checksum, rows.getLong(1)), rows.getLong(2));
          }
        }
      }
    }
    return checksum;
  }

  /** The checksum of all answers, as the clients got them. */
  private long load() throws Exception {
    Process process =
        new ProcessBuilder(
                System.getProperty("wl.python"),
                data.resolve("load.py").toString(),
                String.valueOf(port),
                String.valueOf(CLIENTS),
                String.valueOf(REQUESTS_PER_CLIENT),
                String.valueOf(ACCOUNTS_PER_CLIENT),
                String.valueOf(LONGEST_PAUSE_MICROS),
                String.valueOf(LOAD_LIMIT_SECONDS))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String line;
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      line = out.readLine();
    }
    if (!process.waitFor(LOAD_LIMIT_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
    String[] words = line == null ? new String[0] : line.split(" ");
    if (words.length != 2 || Integer.parseInt(words[0]) != CLIENTS * REQUESTS_PER_CLIENT) {
      throw new IllegalStateException("the load generator said: " + line);
    }
    return Long.parseUnsignedLong(words[1], 16);
  }

  private static void createTables() throws SQLException {
    try (Connection connection = DriverManager.getConnection(URL, "SA", "");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE ACCOUNT(ID INT NOT NULL PRIMARY KEY, BALANCE BIGINT)");
      statement.execute("CREATE TABLE STOCK(ITEM INT NOT NULL PRIMARY KEY, LEFT_OVER BIGINT)");
      statement.execute(
          "CREATE TABLE ORDERS(ACCOUNT INT, NUMBER INT, ITEM INT, QUANTITY INT,"
              + " PRIMARY KEY(ACCOUNT, NUMBER))");
      for (int i = 0; i < CLIENTS * ACCOUNTS_PER_CLIENT; i++) {
        statement.execute("INSERT INTO ACCOUNT VALUES(" + i + ",0)");
      }
      for (int i = 0; i < ITEMS; i++) {
        statement.execute("INSERT INTO STOCK VALUES(" + i + ",0)");
      }
    }
  }

  private static void reset() throws SQLException {
    try (Connection connection = DriverManager.getConnection(URL, "SA", "");
        Statement statement = connection.createStatement()) {
      statement.execute("DELETE FROM ORDERS");
      statement.execute("UPDATE ACCOUNT SET BALANCE=1000000");
      statement.execute("UPDATE STOCK SET LEFT_OVER=1000000");
    }
  }

  /** What so many of an item cost; a discount for every full dozen. */
  private static long price(int item, int quantity, int account) {
    PRICE.increment();
    long cents = 0;
    for (int i = 1; i <= quantity; i++) {
      long one = 100 + (item * 37L + account % 7) % 50;
      cents += i % 12 == 0 ? one / 2 : one;
    }
    return cents;
  }

  private final class Handler implements HttpHandler {
    @Override
    public void handle(HttpExchange exchange) throws IOException {
      HANDLE.increment();
      int status = 200;
      String text;
      try {
        Session session = sessions.take();
        try {
          text = answer(session, exchange.getRequestURI().getPath(), query(exchange));
        } finally {
          sessions.add(session);
        }
      } catch (SQLException | InterruptedException | RuntimeException e) {
        status = 500;
        text = e.toString();
      }
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
      exchange.sendResponseHeaders(status, bytes.length);
      try (OutputStream body = exchange.getResponseBody()) {
        body.write(bytes);
      }
    }

    private String answer(Session session, String path, Map<String, Integer> query)
        throws SQLException {
      int account = query.get("account");
      Page page = new Page();
      switch (path) {
        case "/order":
          page.cell("balance", session.order(account, query.get("item"), query.get("quantity")));
          break;
        case "/balance":
          page.cell("balance", session.balance(account));
          break;
        case "/statement":
          List<int[]> orders = session.orders(account);
          page.cell("orders", orders.size());
          for (int[] order : orders) {
            page.cell("number", order[0]);
            page.cell("item", order[1]);
            page.cell("quantity", order[2]);
            page.cell("price", price(order[1], order[2], account));
          }
          break;
        default:
          throw new IllegalArgumentException(path);
      }
      return page.text();
    }

    private Map<String, Integer> query(HttpExchange exchange) {
      Map<String, Integer> query = new HashMap<>();
      for (String part : exchange.getRequestURI().getRawQuery().split("&")) {
        int equals = part.indexOf('=');
        query.put(part.substring(0, equals), Integer.parseInt(part.substring(equals + 1)));
      }
      return query;
    }
  }

  private static final class Page {
    private final StringBuilder text = new StringBuilder();

    void cell(String name, long value) {
      CELL.increment();
      text.append(name).append('=');
      digits(value);
      text.append('\n');
    }

    private void digits(long value) {
      if (value >= 10) {
        digits(value / 10);
      }
      text.append((char) ('0' + value % 10));
    }

    String text() {
      return text.toString();
    }
  }

  /** A connection to the database with its statements, for one request at a time. */
  private static final class Session {
    private final Connection connection;
    private final PreparedStatement accountUpdate;
    private final PreparedStatement accountQuery;
    private final PreparedStatement stockUpdate;
    private final PreparedStatement orderCount;
    private final PreparedStatement orderInsert;
    private final PreparedStatement orderQuery;

    Session(Connection connection) throws SQLException {
      this.connection = connection;
      connection.setAutoCommit(false);
      accountUpdate =
          connection.prepareStatement("UPDATE ACCOUNT SET BALANCE=BALANCE-? WHERE ID=?");
      accountQuery = connection.prepareStatement("SELECT BALANCE FROM ACCOUNT WHERE ID=?");
      stockUpdate =
          connection.prepareStatement("UPDATE STOCK SET LEFT_OVER=LEFT_OVER-? WHERE ITEM=?");
      orderCount = connection.prepareStatement("SELECT COUNT(*) FROM ORDERS WHERE ACCOUNT=?");
      orderInsert = connection.prepareStatement("INSERT INTO ORDERS VALUES(?,?,?,?)");
      orderQuery =
          connection.prepareStatement(
              "SELECT NUMBER,ITEM,QUANTITY FROM ORDERS WHERE ACCOUNT=? ORDER BY NUMBER");
    }

    /** The account's balance afterwards. */
    long order(int account, int item, int quantity) throws SQLException {
      ORDER.increment();
      long cents = price(item, quantity, account);
      while (true) {
        try {
          orderCount.setInt(1, account);
          int number = (int) single(orderCount);
          orderInsert.setInt(1, account);
          orderInsert.setInt(2, number);
          orderInsert.setInt(3, item);
          orderInsert.setInt(4, quantity);
          orderInsert.executeUpdate();
          accountUpdate.setLong(1, cents);
          accountUpdate.setInt(2, account);
          accountUpdate.executeUpdate();
          accountQuery.setInt(1, account);
          long balance = single(accountQuery);
          stockUpdate.setInt(1, quantity);
          stockUpdate.setInt(2, item);
          stockUpdate.executeUpdate();
          connection.commit();
          return balance;
        } catch (SQLException e) {
          connection.rollback();
          if (!CONFLICTS.contains(e.getErrorCode())) {
            throw e;
          }
        }
      }
    }

    long balance(int account) throws SQLException {
      BALANCE.increment();
      accountQuery.setInt(1, account);
      long balance = single(accountQuery);
      connection.commit();
      return balance;
    }

    /** Number, item and quantity of each order of an account. */
    List<int[]> orders(int account) throws SQLException {
      List<int[]> orders = new ArrayList<>();
      orderQuery.setInt(1, account);
      try (ResultSet rows = orderQuery.executeQuery()) {
        while (rows.next()) {
          orders.add(new int[] {rows.getInt(1), rows.getInt(2), rows.getInt(3)});
        }
      }
      connection.commit();
      return orders;
    }

    private static long single(PreparedStatement query) throws SQLException {
      try (ResultSet row = query.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }
}
