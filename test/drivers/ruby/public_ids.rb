require_relative "uuid_encrypt"

STDIN.each_line(chomp: true) do |line|
  id, key, label, version, encrypted = line.split("\t")
  key = [key].pack("H*")
  puts [uuid_decrypt(encrypted, key, label, version.to_i), uuid_encrypt(id, key, label)].join("\t")
end
