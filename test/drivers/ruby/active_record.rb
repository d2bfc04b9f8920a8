# ActiveRecord: a migration with the extension and the DEFAULT, ids as strings, time queries with a cast.

require "active_record"
require "minitest/autorun"
require_relative "get_booking"

# PGHOST, PGDATABASE, … say where
ActiveRecord::Base.establish_connection(adapter: "postgresql", options: "-c search_path=public,before18")
ActiveRecord::Migration.verbose = false

class CreateBookings < ActiveRecord::Migration[6.1]
  def change
    enable_extension "uidext"
    create_table :bookings, id: :uuid, default: -> { "gen_uuidv7()" } do |t|
      t.text :guest, null: false
    end
    execute File.read(File.join(__dir__, "../uuidv7_before_18.sql"))
    create_table :visits, id: :uuid, default: -> { "uuidv7()" }
    create_table :rides, id: false do |t|
      t.column :id, :iuid, primary_key: true, default: -> { "gen_iuid(76, 1)" }
      t.integer :fare, null: false
    end
    create_table :events, id: :uuid, default: -> { "gen_uuidv7()" }, options: "PARTITION BY RANGE (id)" do |t|
      t.text :what, null: false
    end
    execute "SELECT uuid_partition_create('events', '2026-01-01 00:00+00', now() + interval '1 month', '1 month')"
  end
end
CreateBookings.migrate(:up)

module MadeSince
  def made_since(moment)
    where("id >= ?::timestamptz", moment)
  end
end

class Booking < ActiveRecord::Base; end
class Ride < ActiveRecord::Base; end
class Visit < ActiveRecord::Base; end
class Event < ActiveRecord::Base
  extend MadeSince
end

class ActiveRecordTest < Minitest::Test
  def test_insert_without_an_id
    id = Booking.create!(guest: "Ada").id
    assert_equal "7", id[14]
    made = Booking.where(id: id).pick(Arel.sql("uuid_time(id)"))
    assert_equal id.delete("-")[0, 12].hex, (made.to_r * 1000).floor
    assert_in_delta Time.now, made, 60
  end

  def test_code_written_for_18
    assert_equal "7", Visit.create!.id[14]
  end

  def test_requests
    connection = Booking.connection.raw_connection
    connection.exec(File.read(File.join(__dir__, "../requests.sql")))
    requests = connection.exec("SELECT public_id, status, body FROM requests ORDER BY status").values
    assert_equal 8, requests.size
    nobody = [404, "no such booking"]
    [*requests, ["\0", *nobody], ["\xff", *nobody]].each do |public_id, status, body|
      assert_equal [status.to_i, body], get_booking(connection, public_id), public_id.inspect
    end

    # nor is every error one of the client's
    connection.exec("SET search_path = nowhere")
    assert_raises(PG::UndefinedTable) { get_booking(connection, requests[0][0]) }
  ensure
    connection.exec("RESET search_path")
  end

  def test_id_made_by_the_client
    mine = "019ca6b1-dc00-7000-8000-000000000001"
    Booking.create!(id: mine, guest: "Grace")
    assert_equal "Grace", Booking.find(mine).guest
  end

  def test_insert_all
    ids = Booking.insert_all([{ guest: "a" }, { guest: "b" }, { guest: "c" }]).rows.flatten
    assert_equal ids.uniq.sort, ids
  end

  def test_time_query
    Event.create!(id: "019c167f-cbff-7000-8000-000000000001", what: "before")
    Event.create!(id: "019c167f-cc00-7000-8000-000000000001", what: "after")
    february = Time.utc(2026, 2, 1)
    assert_equal ["after"], Event.made_since(february).pluck(:what)
    assert_equal "events_2026_02", Event.made_since(february).pick(Arel.sql("tableoid::regclass"))
    # what doc/drivers.md warns of
    assert_match(/"id" >= NULL/, Event.where(id: february..).to_sql)
    assert_empty Event.where(id: february..)
  end

  def test_iuid
    ride = Ride.create!(fare: 12)
    assert_equal 76, Ride.where(id: ride.id).pick(Arel.sql("iuid_country(id)"))
    refused = assert_raises(ActiveRecord::StatementInvalid) { Ride.create!(id: SecureRandom.uuid, fare: 1) }
    assert_equal "22P02", refused.cause.result.error_field(PG::Result::PG_DIAG_SQLSTATE)
  end
end
