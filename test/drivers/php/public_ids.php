<?php
// The PHP of doc/public-ids.md against the server.

require 'uuid_encrypt.php';

exec('psql -qXAt -F "	" -f ../public_ids.sql', $lines);
assert(count($lines) === 5000);
foreach ($lines as $line) {
    [$id, $key, $label, $version, $encrypted] = explode("\t", $line);
    assert(uuid_encrypt($id, hex2bin($key), $label) === $encrypted, $line);
    assert(uuid_decrypt($encrypted, hex2bin($key), $label, (int) $version) === $id, $line);
}
