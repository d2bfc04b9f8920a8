"""The Python of doc/public-ids.md against the server."""

import subprocess
import unittest
import uuid

from uuid_encrypt import uuid_decrypt, uuid_encrypt


class PublicIds(unittest.TestCase):
    def test_against_the_server(self):
        made = subprocess.run(["psql", "-qXAt", "-F", "\t", "-f", "../public_ids.sql"], stdout=subprocess.PIPE, check=True)
        lines = made.stdout.decode().splitlines()
        self.assertEqual(len(lines), 5000)
        for line in lines:
            id, key, label, version, encrypted = line.split("\t")
            id, key, encrypted = uuid.UUID(id), bytes.fromhex(key), uuid.UUID(encrypted)
            self.assertEqual(uuid_encrypt(id, key, label), encrypted, line)
            self.assertEqual(uuid_decrypt(encrypted, key, label, int(version)), id, line)


if __name__ == "__main__":
    unittest.main()
