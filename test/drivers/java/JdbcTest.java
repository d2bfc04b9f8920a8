import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;
import org.postgresql.PGConnection;

/** pgJDBC: java.util.UUID both ways, OffsetDateTime for time queries. */
public class JdbcTest {
    private static final OffsetDateTime FEBRUARY = OffsetDateTime.of(2026, 2, 1, 0, 0, 0, 0, ZoneOffset.UTC);

    private static Connection connection;

    @BeforeClass
    public static void connect() throws Exception {
        String url = String.format("jdbc:postgresql://%s:%s/%s",
                System.getenv("PGHOST"), System.getenv("PGPORT"), System.getenv("PGDATABASE"));
        connection = DriverManager.getConnection(url, System.getenv("PGUSER"), System.getenv("PGPASSWORD"));
        try (Statement statement = connection.createStatement()) {
            statement.execute(Files.readString(Path.of("../schema.sql")));
        }
    }

    @AfterClass
    public static void disconnect() throws SQLException {
        connection.close();
    }

    private static Instant timeOf(UUID id) {
        return Instant.ofEpochMilli(id.getMostSignificantBits() >>> 16);
    }

    /** A version 7 that the client makes: 48 bits of Unix milliseconds, the rest random. */
    private static UUID uuidv7(Instant at) {
        UUID random = UUID.randomUUID();
        long tail = random.getMostSignificantBits() & 0xfff;
        return new UUID(at.toEpochMilli() << 16 | 0x7000 | tail, random.getLeastSignificantBits());
    }

    /** The first column of the first row. */
    private static <T> T one(Class<T> type, String query, Object... parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(query)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            try (ResultSet result = statement.executeQuery()) {
                assertTrue(result.next());
                return result.getObject(1, type);
            }
        }
    }

    @Test
    public void insertWithoutAnId() throws SQLException {
        String insert = "INSERT INTO bookings (guest) VALUES (?)";
        try (PreparedStatement statement = connection.prepareStatement(insert, new String[] {"id"})) {
            statement.setString(1, "Ada");
            statement.executeUpdate();
            ResultSet keys = statement.getGeneratedKeys();
            assertTrue(keys.next());
            UUID id = (UUID) keys.getObject("id");
            assertEquals(7, id.version());

            OffsetDateTime made = one(OffsetDateTime.class, "SELECT uuid_time(?)", id);
            assertEquals(timeOf(id).toEpochMilli(), made.toInstant().toEpochMilli());
            assertTrue(Duration.between(made.toInstant(), Instant.now()).abs().toMinutes() < 1);
        }
    }

    @Test
    public void requests() throws Exception {
        Map<String, GetBooking> requests = new LinkedHashMap<>();
        try (Statement statement = connection.createStatement()) {
            statement.execute(Files.readString(Path.of("../requests.sql")));
            ResultSet rows = statement.executeQuery("SELECT public_id, status, body FROM requests ORDER BY status");
            while (rows.next()) {
                requests.put(rows.getString(1), new GetBooking(rows.getInt(2), rows.getString(3)));
            }
        }
        assertEquals(8, requests.size());
        String known = requests.keySet().iterator().next();
        for (String unsendable : List.of("\0", "\udcff")) {
            requests.put(unsendable, new GetBooking(404, "no such booking"));
        }
        for (Map.Entry<String, GetBooking> request : requests.entrySet()) {
            assertEquals(request.getValue(), GetBooking.of(connection, request.getKey()));
        }

        // nor is every error one of the client's
        connection.setSchema("nowhere");
        SQLException error = assertThrows(SQLException.class, () -> GetBooking.of(connection, known));
        connection.setSchema("public");
        assertEquals("42P01", error.getSQLState());
    }

    @Test
    public void idMadeByTheClient() throws SQLException {
        UUID mine = uuidv7(FEBRUARY.toInstant());
        assertEquals(mine, one(UUID.class, "INSERT INTO bookings VALUES (?, 'Grace') RETURNING id", mine));
        OffsetDateTime made = one(OffsetDateTime.class, "SELECT uuid_time(?)", mine);
        assertEquals(FEBRUARY.toInstant(), Instant.ofEpochMilli(made.toInstant().toEpochMilli()));
    }

    @Test
    public void timeQuery() throws SQLException {
        String insert = "INSERT INTO events VALUES (?, ?) RETURNING tableoid::regclass::text";
        UUID before = uuidv7(FEBRUARY.toInstant().minusMillis(1));
        assertEquals("events_2026_01", one(String.class, insert, before, "before"));
        assertEquals("events_2026_02", one(String.class, insert, uuidv7(FEBRUARY.toInstant()), "after"));

        // An OffsetDateTime is sent as timestamptz.
        String query = "SELECT string_agg(what, ',') FROM events WHERE id >= ? AND id < ?";
        assertEquals("after", one(String.class, query, FEBRUARY, FEBRUARY.plusDays(1)));

        // A Timestamp is sent without a type, and beside a uuid becomes one.
        Timestamp since = Timestamp.from(FEBRUARY.toInstant());
        Timestamp until = Timestamp.from(FEBRUARY.plusDays(1).toInstant());
        SQLException error = assertThrows(SQLException.class, () -> one(String.class, query, since, until));
        assertEquals("22P02", error.getSQLState());
        assertEquals("after", one(String.class, query.replace("?", "?::timestamptz"), since, until));
    }

    @Test
    public void iuid() throws SQLException {
        UUID id = one(UUID.class, "INSERT INTO rides (fare) VALUES (12) RETURNING id::uuid");
        assertEquals(Integer.valueOf(76), one(Integer.class, "SELECT iuid_country(id) FROM rides WHERE id = ?", id));
        SQLException error = assertThrows(SQLException.class,
                () -> one(UUID.class, "INSERT INTO rides VALUES (?, 1) RETURNING id::uuid", UUID.randomUUID()));
        assertEquals("22023", error.getSQLState());
    }

    @Test
    public void preparedAndBinary() throws SQLException {
        String query = "INSERT INTO bookings (guest) VALUES (?) RETURNING id";
        List<UUID> ids = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(query)) {
            // prepared on the server and binary from the first execution
            statement.unwrap(org.postgresql.PGStatement.class).setPrepareThreshold(-1);
            for (String guest : new String[] {"a", "b", "c"}) {
                statement.setString(1, guest);
                ResultSet result = statement.executeQuery();
                assertTrue(result.next());
                ids.add((UUID) result.getObject(1));
            }
            assertEquals(Long.valueOf(3), one(Long.class,
                    "SELECT generic_plans + custom_plans FROM pg_prepared_statements WHERE statement = ?",
                    query.replace("?", "$1")));
        }
        for (UUID id : ids) {
            assertEquals(7, id.version());
        }
        assertTrue(ids.get(0).compareTo(ids.get(1)) < 0);
        assertTrue(ids.get(1).compareTo(ids.get(2)) < 0);
    }

    @Test
    public void batch() throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("INSERT INTO bookings VALUES (?, 'batch')")) {
            for (int i = 0; i < 3; i++) {
                statement.setObject(1, uuidv7(FEBRUARY.toInstant().plusSeconds(i)));
                statement.addBatch();
            }
            assertEquals(3, statement.executeBatch().length);
        }
        assertEquals(Long.valueOf(3), one(Long.class,
                "SELECT count(*) FROM bookings WHERE guest = 'batch' AND uuid_time(id) >= ?", FEBRUARY));
    }

    @Test
    public void copy() throws Exception {
        PGConnection postgres = connection.unwrap(PGConnection.class);
        UUID mine = uuidv7(Instant.parse("2026-03-01T00:00:00Z"));
        postgres.getCopyAPI().copyIn("COPY events (id, what) FROM STDIN", new StringReader(mine + "\tcopied\n"));
        assertEquals(mine, one(UUID.class, "SELECT id FROM events_2026_03"));
    }
}
