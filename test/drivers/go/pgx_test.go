// pgx: [16]byte or pgtype.UUID both ways, everything binary and prepared, and
// the server says what type a parameter has.
package drivers

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
)

var (
	ctx      = context.Background()
	conn     *pgx.Conn
	february = time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)
)

func TestMain(m *testing.M) {
	schema, err := os.ReadFile("../schema.sql")
	if err == nil {
		conn, err = pgx.Connect(ctx, "") // PGHOST, PGDATABASE, … say where
	}
	if err == nil {
		_, err = conn.PgConn().Exec(ctx, string(schema)).ReadAll()
	}
	if err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

func one(t *testing.T, query string, parameters []any, columns ...any) {
	t.Helper()
	if err := conn.QueryRow(ctx, query, parameters...).Scan(columns...); err != nil {
		t.Fatal(err)
	}
}

func timeOf(id [16]byte) time.Time {
	return time.UnixMilli(int64(binary.BigEndian.Uint64(id[:8]) >> 16))
}

// A version 7 that the client makes: 48 bits of Unix milliseconds, the rest random.
func uuidv7(at time.Time) (id [16]byte) {
	rand.Read(id[6:])
	binary.BigEndian.PutUint32(id[:], uint32(at.UnixMilli()>>16))
	binary.BigEndian.PutUint16(id[4:], uint16(at.UnixMilli()))
	id[6] = id[6]&0x0f | 0x70
	id[8] = id[8]&0x3f | 0x80
	return id
}

func TestInsertWithoutAnId(t *testing.T) {
	var id pgtype.UUID
	var made time.Time
	one(t, "INSERT INTO bookings (guest) VALUES ($1) RETURNING id, id::timestamptz", []any{"Ada"}, &id, &made)
	if id.Bytes[6]>>4 != 7 {
		t.Errorf("version %d", id.Bytes[6]>>4)
	}
	if !timeOf(id.Bytes).Equal(made.Truncate(time.Millisecond)) || time.Since(made).Abs() > time.Minute {
		t.Errorf("%v, %v", timeOf(id.Bytes), made)
	}
}

func TestRequests(t *testing.T) {
	type request struct {
		publicId string
		status   int
		body     string
	}
	var requests []request

	list, err := os.ReadFile("../requests.sql")
	if err == nil {
		_, err = conn.PgConn().Exec(ctx, string(list)).ReadAll()
	}
	if err != nil {
		t.Fatal(err)
	}
	rows, _ := conn.Query(ctx, "SELECT public_id, status, body FROM requests ORDER BY status")
	for rows.Next() {
		var r request
		if err := rows.Scan(&r.publicId, &r.status, &r.body); err != nil {
			t.Fatal(err)
		}
		requests = append(requests, r)
	}
	if len(requests) != 8 {
		t.Fatal(len(requests), "requests")
	}
	nobody := "no such booking"
	for _, r := range append(requests, request{"\x00", 404, nobody}, request{"\xff", 404, nobody}) {
		if status, body, err := getBooking(ctx, conn, r.publicId); status != r.status || body != r.body || err != nil {
			t.Errorf("%q: %d, %s, %v", r.publicId, status, body, err)
		}
	}

	// nor is every error one of the client's
	conn.Exec(ctx, "SET search_path = nowhere")
	defer conn.Exec(ctx, "RESET search_path")
	if status, _, err := getBooking(ctx, conn, requests[0].publicId); status != 500 || err == nil {
		t.Error(status, err)
	}
}

func TestIdMadeByTheClient(t *testing.T) {
	var id [16]byte
	var made time.Time
	mine := uuidv7(february)
	one(t, "INSERT INTO bookings VALUES ($1, 'Grace') RETURNING id, uuid_time(id)", []any{mine}, &id, &made)
	if id != mine || !made.Truncate(time.Millisecond).Equal(february) {
		t.Errorf("%x, %x, %v", id, mine, made)
	}
}

func TestTimeQuery(t *testing.T) {
	var before, after, what string
	insert := "INSERT INTO events VALUES ($1, $2) RETURNING tableoid::regclass::text"
	one(t, insert, []any{uuidv7(february.Add(-time.Millisecond)), "before"}, &before)
	one(t, insert, []any{uuidv7(february), "after"}, &after)
	if before != "events_2026_01" || after != "events_2026_02" {
		t.Error(before, after)
	}

	query := "SELECT string_agg(what, ',') FROM events WHERE id >= $1::timestamptz AND id < $2::timestamptz"
	one(t, query, []any{february, february.AddDate(0, 0, 1)}, &what)
	if what != "after" {
		t.Error(what)
	}
	// Without the cast, a parameter beside a uuid is a uuid.
	if err := conn.QueryRow(ctx, "SELECT what FROM events WHERE id >= $1", february).Scan(&what); err == nil {
		t.Error("a time was taken for a uuid")
	}
}

func TestIuid(t *testing.T) {
	var id [16]byte
	var country int
	var refused *pgconn.PgError
	one(t, "INSERT INTO rides (fare) VALUES (12) RETURNING id::uuid", nil, &id)
	one(t, "SELECT iuid_country(id) FROM rides WHERE id = $1", []any{id}, &country)
	if country != 76 {
		t.Error(country)
	}
	// $1 alone would be of type iuid, which pgx does not know.
	_, err := conn.Exec(ctx, "INSERT INTO rides VALUES ($1::uuid, 1)", uuidv7(february))
	if !errors.As(err, &refused) || refused.Code != "22023" {
		t.Error(err)
	}
}

func TestPrepared(t *testing.T) {
	var last, id [16]byte
	var uses int
	if _, err := conn.Prepare(ctx, "book", "INSERT INTO bookings (guest) VALUES ($1) RETURNING id"); err != nil {
		t.Fatal(err)
	}
	for _, guest := range []string{"a", "b", "c"} {
		one(t, "book", []any{guest}, &id)
		if bytes.Compare(last[:], id[:]) >= 0 {
			t.Errorf("%x after %x", id, last)
		}
		last = id
	}
	one(t, "SELECT generic_plans + custom_plans FROM pg_prepared_statements WHERE name = 'book'", nil, &uses)
	if uses != 3 {
		t.Error(uses)
	}
}

func TestCopy(t *testing.T) {
	// CopyFrom is binary COPY
	march := february.AddDate(0, 1, 0)
	rows := [][]any{{uuidv7(march), "one"}, {uuidv7(march.AddDate(0, 0, 1)), "two"}}
	if _, err := conn.CopyFrom(ctx, pgx.Identifier{"events"}, []string{"id", "what"}, pgx.CopyFromRows(rows)); err != nil {
		t.Fatal(err)
	}
	var first [16]byte
	var count int
	one(t, "SELECT id, count(*) OVER () FROM events_2026_03 ORDER BY id LIMIT 1", nil, &first, &count)
	if first != rows[0][0] || count != 2 {
		t.Errorf("%x, %d", first, count)
	}
}
