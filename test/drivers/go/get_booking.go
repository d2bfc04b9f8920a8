package drivers

import (
	"context"
	"errors"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

func getBooking(ctx context.Context, conn *pgx.Conn, publicID string) (int, string, error) {
	var guest string
	var refused *pgconn.PgError
	err := conn.QueryRow(ctx, "SELECT guest FROM bookings WHERE id = typeid_to_uuid($1, 'booking')", publicID).Scan(&guest)
	switch {
	case err == nil:
		return 200, guest, nil
	case errors.Is(err, pgx.ErrNoRows), errors.As(err, &refused) && strings.HasPrefix(refused.Code, "22"):
		return 404, "no such booking", nil
	}
	return 500, "", err
}
