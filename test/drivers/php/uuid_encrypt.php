<?php
function permute(string $id, string $key, string $label, int $version, bool $backwards): string
{
    $roundKey = hash_hmac('sha256', "uidext uuid_encrypt v1\0" . $label, $key, true);
    [, $hi, $lo] = unpack('J2', hex2bin(str_replace('-', '', $id)));
    $left = ((($hi >> 16) & 0xffffffffffff) << 13) | (($hi & 0xfff) << 1) | (($lo >> 61) & 1);
    $right = $lo & ((1 << 61) - 1);
    $halves = $backwards ? [$right, $left] : [$left, $right];
    for ($r = 0; $r < 10; $r++) {
        $hash = hash('sha256', $roundKey . chr($backwards ? 9 - $r : $r) . pack('J', $halves[1]), true);
        $halves = [$halves[1], $halves[0] ^ ((unpack('J', $hash)[1] >> 3) & ((1 << 61) - 1))];
    }
    [$left, $right] = $backwards ? array_reverse($halves) : $halves;
    $hi = (($left >> 13) << 16) | ($version << 12) | (($left >> 1) & 0xfff);
    $lo = (1 << 63) | (($left & 1) << 61) | $right;
    return preg_replace('/^(.{8})(.{4})(.{4})(.{4})/', '$1-$2-$3-$4-', bin2hex(pack('J2', $hi, $lo)));
}

function uuid_encrypt(string $id, string $key, string $label = ''): string
{
    return permute($id, $key, $label, 4, false);
}

function uuid_decrypt(string $id, string $key, string $label = '', int $version = 7): string
{
    return permute($id, $key, $label, $version, true);
}
