import sys
import uuid

from uuid_encrypt import uuid_decrypt, uuid_encrypt

for line in sys.stdin.buffer:
    id, key, label, version, encrypted = line.decode().rstrip("\n").split("\t")
    key = bytes.fromhex(key)
    print(uuid_decrypt(uuid.UUID(encrypted), key, label, int(version)), uuid_encrypt(uuid.UUID(id), key, label), sep="\t")
