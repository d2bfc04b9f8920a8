import hashlib
import hmac
import uuid


def permute(id, key, label, version, backwards):
    round_key = hmac.new(key, b"uidext uuid_encrypt v1\0" + label.encode(), hashlib.sha256).digest()
    bits = id.int >> 80 << 74 | (id.int >> 64 & 0xFFF) << 62 | id.int & (1 << 62) - 1
    left, right = bits >> 61, bits & (1 << 61) - 1
    if backwards:
        left, right = right, left
    for r in reversed(range(10)) if backwards else range(10):
        hash = hashlib.sha256(round_key + bytes([r]) + right.to_bytes(8, "big")).digest()
        left, right = right, left ^ int.from_bytes(hash[:8], "big") >> 3
    if backwards:
        left, right = right, left
    bits = left << 61 | right
    return uuid.UUID(int=bits >> 74 << 80 | version << 76 | (bits >> 62 & 0xFFF) << 64 | 1 << 63 | bits & (1 << 62) - 1)


def uuid_encrypt(id, key, label=""):
    return permute(id, key, label, 4, False)


def uuid_decrypt(id, key, label="", version=7):
    return permute(id, key, label, version, True)
