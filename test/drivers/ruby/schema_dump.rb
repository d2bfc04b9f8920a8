# Rails' dumps: schema.rb by default and with the lines of doc/drivers.md, and
# structure.sql, each loaded into an empty database.

require "active_record"
require "minitest/autorun"
require "stringio"
require "tempfile"
require_relative "ids_in_schema"

def connect(database)
  ActiveRecord::Base.establish_connection(adapter: "postgresql", database: database)
  ActiveRecord::Base.connection
end

MAIN = ENV["PGDATABASE"]
connect(MAIN).execute(File.read(File.join(__dir__, "../schema.sql")))
connect(MAIN).execute("INSERT INTO events VALUES (gen_uuidv7_at('2026-02-01Z'), 'seen'); INSERT INTO rides (fare) VALUES (12)")
ActiveRecord::Schema.verbose = false

class SchemaDump < Minitest::Test
  def teardown
    assert_equal [[1, 1]], connect(MAIN).select_rows("SELECT (SELECT count(*) FROM events), (SELECT count(*) FROM rides)"), "no row is lost"
  end

  def dump
    connect(MAIN)
    source = ActiveRecord.version < Gem::Version.new("7.2") ? ActiveRecord::Base.connection : ActiveRecord::Base.connection_pool
    ActiveRecord::SchemaDumper.dump(source, dumped = StringIO.new)
    dumped.string
  end

  # Yields the connection to a database of its own.
  def in_empty_database(name)
    name = "#{MAIN}_#{name}"
    connect(MAIN).execute("DROP DATABASE IF EXISTS #{name}")
    connect(MAIN).execute("CREATE DATABASE #{name}")
    yield connect(name), name
  ensure
    connect(MAIN).execute("DROP DATABASE #{name} WITH (FORCE)")
  end

  def kinds(connection)
    connection.select_rows("SELECT relname, relkind::text FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace").to_h
  end

  def test_schema_rb
    dumped = dump
    assert_match(/create_table "bookings", id: :uuid, default: -> { "gen_uuidv7\(\)" }/, dumped)
    assert_match(/create_table "rides", id: :iuid, default: -> { "gen_iuid\(76, 1\)" }/, dumped)
    refute_match(/create_schema|iuid_|countries|service_entities/, dumped)
    in_empty_database("schema") do |connection|
      2.times { eval(dumped) } # the second drops and makes all anew
      assert_equal [["iuid"]], connection.select_rows("SELECT atttypid::regtype::text FROM pg_attribute WHERE attrelid = 'rides'::regclass AND attname = 'id'")
      assert_equal "r", kinds(connection)["events"], "what is no partitioned table any more"
    end
  end

  def test_schema_rb_by_default
    script = 'require "active_record"; ActiveRecord::Base.establish_connection(adapter: "postgresql"); ActiveRecord::SchemaDumper.dump'
    by_default = IO.popen([RbConfig.ruby, "-e", script], err: File::NULL, &:read)
    assert_match(/Could not dump table "rides".*\n#.*Unknown type 'iuid' for column 'id'/, by_default)
    assert_match(/create_table "events_2026_02"/, by_default)
    assert_equal ActiveRecord.version.to_s.start_with?("7.2"), by_default.include?('create_schema "uidext_internal"')
  end

  def test_structure_sql
    file = Tempfile.new("structure").path
    config = ->(name) { ActiveRecord::DatabaseConfigurations::HashConfig.new("test", "primary", { adapter: "postgresql", database: name }) }
    ActiveRecord::Tasks::PostgreSQLDatabaseTasks.new(config.call(MAIN)).structure_dump(file, nil)
    in_empty_database("structure") do |connection, name|
      ActiveRecord::Tasks::PostgreSQLDatabaseTasks.new(config.call(name)).structure_load(file, nil)
      there = kinds(connection)
      assert_equal kinds(connect(MAIN)).reject { |table, _| table.start_with?("ar_", "schema_") }, there
      assert_equal "p", there["events"]
    end
  end
end
