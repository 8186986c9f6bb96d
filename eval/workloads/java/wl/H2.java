package wl;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * H2 in memory under transactions like TPC-B's: four clients contend for the rows of two branches;
 * reports over the result make the checksum.
 */
public final class H2 implements Workload {
  private static final String URL = "jdbc:h2:mem:bench;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=20000";
  private static final int BRANCHES = 2;
  private static final int TELLERS = 20;
  private static final int ACCOUNTS = 5000;
  private static final int CLIENTS = 4;
  private static final int TRANSACTIONS_PER_CLIENT = 4000;

  /** H2's codes for a deadlock, a lock time-out and a concurrent update: try again. */
  private static final Set<Integer> CONFLICTS = Set.of(40001, 50200, 90131);

  private static final List<String> REPORTS =
      List.of(
          "SELECT SUM(BAL) FROM ACC",
          "SELECT ID,BAL FROM TEL ORDER BY ID",
          "SELECT COUNT(*),SUM(DELTA),MIN(DELTA) FROM HIST",
          "SELECT T.BR, COUNT(*), SUM(H.DELTA) FROM HIST H JOIN TEL T ON H.TID=T.ID"
              + " GROUP BY T.BR ORDER BY 1",
          "SELECT A.ID, SUM(H.DELTA) S FROM ACC A JOIN HIST H ON A.ID=H.AID"
              + " WHERE A.FILLER LIKE '%17%' GROUP BY A.ID HAVING COUNT(*)>1 ORDER BY 2,1",
          "SELECT COUNT(*) FROM HIST WHERE NOTE LIKE '%3%1%' AND DELTA>0");

  @Override
  public long run() throws Exception {
    createTables();
    Workers.run(CLIENTS, H2::client);
    long checksum = 0;
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      for (String report : REPORTS) {
        checksum = Checksums.mix(checksum, checksumOf(statement, report));
      }
    }
    return checksum;
  }

  private static Connection connect() throws SQLException {
    return DriverManager.getConnection(URL, "SA", "");
  }

  private static void createTables() throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      for (String table : List.of("HIST", "ACC", "TEL", "BRA")) {
        statement.execute("DROP TABLE IF EXISTS " + table);
      }
      statement.execute("CREATE TABLE BRA(ID INT NOT NULL PRIMARY KEY, BAL INT)");
      statement.execute("CREATE TABLE TEL(ID INT NOT NULL PRIMARY KEY, BR INT, BAL INT)");
      statement.execute(
          "CREATE TABLE ACC(ID INT NOT NULL PRIMARY KEY, BR INT, BAL INT, FILLER VARCHAR(80))");
      statement.execute(
          "CREATE TABLE HIST(TID INT, AID INT, BID INT, DELTA INT, NOTE VARCHAR(60))");
      statement.execute("CREATE INDEX ACCBR ON ACC(BR)");
      for (int i = 0; i < BRANCHES; i++) {
        statement.execute("INSERT INTO BRA VALUES(" + i + ",0)");
      }
      for (int i = 0; i < TELLERS; i++) {
        statement.execute("INSERT INTO TEL VALUES(" + i + "," + i % BRANCHES + ",0)");
      }
      try (PreparedStatement insert =
          connection.prepareStatement("INSERT INTO ACC VALUES(?,?,0,?)")) {
        for (int i = 0; i < ACCOUNTS; i++) {
          insert.setInt(1, i);
          insert.setInt(2, i % BRANCHES);
          insert.setString(3, "account number " + i * 7919);
          insert.executeUpdate();
        }
      }
    }
  }

  private static void client(int number) throws SQLException {
    Random random = new Random(42 + number);
    try (Connection connection = connect()) {
      connection.setAutoCommit(false);
      Transaction transaction = new Transaction(connection);
      for (int i = 0; i < TRANSACTIONS_PER_CLIENT; i++) {
        int account = random.nextInt(ACCOUNTS);
        int teller = random.nextInt(TELLERS);
        int delta = random.nextInt(2001) - 1000;
        String note = "tx " + number + ":" + i + " of " + delta;
        while (!transaction.commit(account, teller, delta, note)) {
          connection.rollback();
        }
      }
    }
  }

  /** Moves money into an account at a teller's branch and notes it in the history. */
  private static final class Transaction {
    private final Connection connection;
    private final PreparedStatement branchUpdate;
    private final PreparedStatement tellerUpdate;
    private final PreparedStatement accountUpdate;
    private final PreparedStatement accountQuery;
    private final PreparedStatement historyInsert;

    Transaction(Connection connection) throws SQLException {
      this.connection = connection;
      branchUpdate = connection.prepareStatement("UPDATE BRA SET BAL=BAL+? WHERE ID=?");
      tellerUpdate = connection.prepareStatement("UPDATE TEL SET BAL=BAL+? WHERE ID=?");
      accountUpdate = connection.prepareStatement("UPDATE ACC SET BAL=BAL+? WHERE ID=?");
      accountQuery = connection.prepareStatement("SELECT BAL,FILLER FROM ACC WHERE ID=?");
      historyInsert = connection.prepareStatement("INSERT INTO HIST VALUES(?,?,?,?,?)");
    }

    /** False when another client was in the way. */
    boolean commit(int account, int teller, int delta, String note) throws SQLException {
      int branch = teller % BRANCHES;
      try {
        add(branchUpdate, delta, branch);
        add(tellerUpdate, delta, teller);
        add(accountUpdate, delta, account);
        accountQuery.setInt(1, account);
        try (ResultSet row = accountQuery.executeQuery()) {
          row.next();
          row.getString(2);
        }
        historyInsert.setInt(1, teller);
        historyInsert.setInt(2, account);
        historyInsert.setInt(3, branch);
        historyInsert.setInt(4, delta);
        historyInsert.setString(5, note);
        historyInsert.executeUpdate();
        connection.commit();
        return true;
      } catch (SQLException e) {
        if (CONFLICTS.contains(e.getErrorCode())) {
          return false;
        }
        throw e;
      }
    }

    private static void add(PreparedStatement update, int delta, int id) throws SQLException {
      update.setInt(1, delta);
      update.setInt(2, id);
      update.executeUpdate();
    }
  }

  private static long checksumOf(Statement statement, String query) throws SQLException {
    long checksum = 7;
    try (ResultSet rows = statement.executeQuery(query)) {
      int columns = rows.getMetaData().getColumnCount();
      while (rows.next()) {
        for (int i = 1; i <= columns; i++) {
          checksum =
              Checksums.mix(checksum, Checksums.crc(String.valueOf(rows.getObject(i))));
        }
      }
    }
    return checksum;
  }
}
