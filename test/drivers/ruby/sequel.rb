# Sequel: ids as strings, a period with a cast, what the schema dumper makes of an iuid.

require "minitest/autorun"
require "sequel"

DB = Sequel.connect(adapter: "postgres") # PGHOST, PGDATABASE, … say where
DB.run(File.read(File.join(__dir__, "../schema.sql")))
DB.extension :schema_dumper

class Booking < Sequel::Model; end

class SequelTest < Minitest::Test
  def test_insert_without_an_id
    ids = %w[Ada Grace].map { |guest| Booking.create(guest: guest).id }
    assert_equal ["7", "7"], ids.map { |id| id[14] }
    assert_equal ids.sort, ids
  end

  def test_period
    DB[:events].insert(id: Sequel.function(:gen_uuidv7_at, Time.utc(2026, 2, 1)), what: "after")
    DB[:events].insert(id: Sequel.function(:gen_uuidv7_at, Time.utc(2026, 1, 31)), what: "before")
    assert_equal ["after"], DB[:events].where(Sequel[:id] >= Sequel.cast(Time.utc(2026, 2, 1), :timestamptz)).select_map(:what)
  end

  def test_iuid
    id = DB[:rides].returning(:id).insert(fare: 12).first[:id]
    assert_equal 76, DB[:rides].where(id: id).get(Sequel.function(:iuid_country, :id))
  end

  def test_schema_dump
    dumped = DB.dump_schema_migration
    assert_match(/create_table\(:events_2026_02/, dumped)
    assert_match(/create_table\(:rides.*\n *String :id, :null=>false/, dumped)
    same = DB.dump_schema_migration(same_db: true)
    assert_match(/column :id, "iuid", :default=>Sequel::LiteralString.new\("gen_iuid\(76, 1\)"\)/, same)
  end
end
