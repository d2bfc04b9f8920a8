<?php
// PDO: ids are strings, times are strings and need a cast.

$url = sprintf('pgsql:host=%s;port=%s;dbname=%s', getenv('PGHOST'), getenv('PGPORT'), getenv('PGDATABASE'));
$pdo = new PDO($url, getenv('PGUSER'), getenv('PGPASSWORD'), [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION]);
$pdo->exec(file_get_contents('../schema.sql'));

function one(string $query, array $parameters = []): mixed
{
    global $pdo;
    $statement = $pdo->prepare($query);
    $statement->execute($parameters);
    return $statement->fetchColumn();
}

require 'get_booking.php';
$pdo->exec(file_get_contents('../requests.sql'));
$requests = $pdo->query('SELECT public_id, status, body FROM requests ORDER BY status')->fetchAll(PDO::FETCH_NUM);
assert(count($requests) === 8);
foreach ([...$requests, ["\xff", 404, 'no such booking']] as [$public_id, $status, $body]) {
    assert(get_booking($pdo, $public_id) === [$status, $body], $public_id);
}

$id = one('INSERT INTO bookings (guest) VALUES (?) RETURNING id', ['Ada']);
assert($id[14] === '7');
$milliseconds = hexdec(substr($id, 0, 8) . substr($id, 9, 4));
assert(one('SELECT floor(extract(epoch FROM uuid_time(?)) * 1000)', [$id]) == $milliseconds);
assert(abs(time() - $milliseconds / 1000) < 60);

// ids of the client, and the partitions they go to
$insert = 'INSERT INTO events VALUES (?, ?) RETURNING tableoid::regclass';
assert(one($insert, ['019c167f-cbff-7000-8000-000000000001', 'before']) === 'events_2026_01');
assert(one($insert, ['019c167f-cc00-7000-8000-000000000001', 'after']) === 'events_2026_02');

$since = new DateTimeImmutable('2026-02-01 00:00 UTC');
$query = "SELECT string_agg(what, ',') FROM events WHERE id >= CAST(? AS timestamptz)";
assert(one($query, [$since->format(DATE_RFC3339_EXTENDED)]) === 'after');

assert(one('INSERT INTO rides (fare) VALUES (12) RETURNING iuid_country(id)') === 76);
try {
    one('INSERT INTO rides VALUES (?, 1)', [$id]);
    assert(false, 'another id is refused');
} catch (PDOException $error) {
    assert($error->getCode() === '22P02');
}

$pdo->pgsqlCopyFromArray('bookings', ["copied"], "\t", '\\\\N', 'guest');
assert(one("SELECT (uuid_inspect(id)).version FROM bookings WHERE guest = 'copied'") === 7);
echo "ok\n";
