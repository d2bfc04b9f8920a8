# The Ruby of doc/public-ids.md against the server.

require "minitest/autorun"
require_relative "uuid_encrypt"

class PublicIdsTest < Minitest::Test
  def test_against_the_server
    lines = IO.popen(["psql", "-qXAt", "-F", "\t", "-f", "../public_ids.sql"], &:readlines)
    assert_equal 5000, lines.size
    lines.each do |line|
      id, key, label, version, encrypted = line.chomp.split("\t")
      assert_equal encrypted, uuid_encrypt(id, [key].pack("H*"), label), line
      assert_equal id, uuid_decrypt(encrypted, [key].pack("H*"), label, version.to_i), line
    end
  end
end
