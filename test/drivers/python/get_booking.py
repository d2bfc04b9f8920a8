import psycopg


def get_booking(connection, public_id):
    try:
        with connection.transaction():
            row = connection.execute("SELECT guest FROM bookings WHERE id = typeid_to_uuid(%s, 'booking')", [public_id]).fetchone()
    except (psycopg.DataError, UnicodeError):
        row = None
    return (200, row[0]) if row else (404, "no such booking")
