# Rails, in config/initializers: schema.rb knows the types iuid and ulid, and leaves schemas to their extensions.

require "active_record/connection_adapters/postgresql_adapter"

module IdsInSchema
  TYPES = %w[iuid ulid].freeze

  class Id < ActiveModel::Type::String
    attr_reader :type

    def initialize(name)
      @type = name.to_sym
      super()
    end
  end

  # Rails 7.2 creates all schemas before the extensions that bring some.
  def schema_names
    super - query_values(<<~SQL)
      SELECT nspname FROM pg_namespace
        JOIN pg_depend ON classid = 'pg_namespace'::regclass AND objid = pg_namespace.oid AND deptype = 'e'
    SQL
  end

  private

  def initialize_type_map(map = type_map)
    TYPES.each { |name| map.register_type(name, Id.new(name)) }
    super
  end
end

ActiveRecord::ConnectionAdapters::PostgreSQLAdapter.prepend(IdsInSchema)
IdsInSchema::TYPES.each { |name| ActiveRecord::ConnectionAdapters::PostgreSQLAdapter::NATIVE_DATABASE_TYPES[name.to_sym] = { name: name } }
