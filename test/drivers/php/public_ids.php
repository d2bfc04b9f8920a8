<?php
require 'uuid_encrypt.php';

while (($line = fgets(STDIN)) !== false) {
    [$id, $key, $label, $version, $encrypted] = explode("\t", rtrim($line, "\n"));
    echo uuid_decrypt($encrypted, hex2bin($key), $label, (int) $version), "\t", uuid_encrypt($id, hex2bin($key), $label), "\n";
}
