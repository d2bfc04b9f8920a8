require "openssl"

def permute(id, key, label, version, backwards)
  round_key = OpenSSL::HMAC.digest("SHA256", key, "uidext uuid_encrypt v1\0".b + label.b)
  number = id.delete("-").to_i(16)
  bits = number >> 80 << 74 | (number >> 64 & 0xfff) << 62 | number & (1 << 62) - 1
  left, right = bits >> 61, bits & (1 << 61) - 1
  left, right = right, left if backwards
  10.times do |r|
    input = round_key + [backwards ? 9 - r : r, right].pack("CQ>")
    left, right = right, left ^ OpenSSL::Digest::SHA256.digest(input).unpack1("Q>") >> 3
  end
  left, right = right, left if backwards
  bits = left << 61 | right
  packed = bits >> 74 << 80 | version << 76 | (bits >> 62 & 0xfff) << 64 | 1 << 63 | bits & (1 << 62) - 1
  packed.to_s(16).rjust(32, "0").sub(/\A(.{8})(.{4})(.{4})(.{4})/, '\1-\2-\3-\4-')
end

def uuid_encrypt(id, key, label = "")
  permute(id, key, label, 4, false)
end

def uuid_decrypt(id, key, label = "", version = 7)
  permute(id, key, label, version, true)
end
