require "pg"

def get_booking(connection, public_id)
  row = connection.exec_params("SELECT guest FROM bookings WHERE id = typeid_to_uuid($1, 'booking')", [public_id]).first
  row ? [200, row["guest"]] : [404, "no such booking"]
rescue PG::DataException, ArgumentError # a zero byte
  [404, "no such booking"]
end
