<?php
// Doctrine DBAL: what its schema diff makes of iuid, of partitions and of the registry, by default
// and with the lines of doc/drivers.md.

require 'Doctrine/DBAL/autoload.php';

use Doctrine\DBAL\DriverManager;
use Doctrine\DBAL\Schema\Schema;

$connect = fn () => DriverManager::getConnection([
    'driver' => 'pdo_pgsql',
    'host' => getenv('PGHOST'),
    'port' => (int) getenv('PGPORT'),
    'user' => getenv('PGUSER'),
    'password' => getenv('PGPASSWORD'),
    'dbname' => getenv('PGDATABASE'),
]);

// What a model says.
$model = new Schema();
$bookings = $model->createTable('bookings');
$bookings->addColumn('id', 'guid', ['columnDefinition' => 'uuid DEFAULT gen_uuidv7() NOT NULL', 'default' => 'gen_uuidv7()']);
$bookings->addColumn('guest', 'text');
$bookings->setPrimaryKey(['id']);
$rides = $model->createTable('rides');
$rides->addColumn('id', 'guid', ['columnDefinition' => 'iuid DEFAULT gen_iuid(76, 1) NOT NULL', 'default' => 'gen_iuid(76, 1)']);
$rides->addColumn('fare', 'integer');
$rides->setPrimaryKey(['id']);

function difference($connection, $model)
{
    $manager = $connection->createSchemaManager();
    $difference = $manager->createComparator()->compareSchemas($manager->introspectSchema(), $model);
    return $connection->getDatabasePlatform()->getAlterSchemaSQL($difference);
}

$connection = $connect();
assert(str_starts_with($model->toSql($connection->getDatabasePlatform())[0], 'CREATE TABLE bookings (id uuid DEFAULT gen_uuidv7() NOT NULL, guest'));
$connection->getNativeConnection()->exec(file_get_contents('../schema.sql'));
try {
    difference($connection, $model);
    assert(false, 'a type that nobody knows');
} catch (Doctrine\DBAL\Exception $error) {
    assert(preg_match('/Unknown database type "?iuid"? requested/', $error->getMessage()) === 1, $error->getMessage());
}

$connection->getDatabasePlatform()->registerDoctrineTypeMapping('iuid', 'guid');
$by_default = difference($connection, $model);
// version 3 sees partitions and not their table, version 4 the table and not its partitions
$others = method_exists(Doctrine\DBAL\Schema\SchemaDiff::class, 'toSql') ? 'events_2026_02' : 'events';
assert(in_array("DROP TABLE $others", $by_default, true), print_r($by_default, true));
assert(($others === 'events') === ($by_default === ['DROP TABLE events']), print_r($by_default, true));

// A role that does not own them is refused.
$server = $connection->getNativeConnection();
$server->exec('CREATE ROLE migrations; SET ROLE migrations');
foreach (preg_grep('/^DROP TABLE/', $by_default) as $statement) {
    try {
        $server->exec($statement);
        assert(false, $statement);
    } catch (PDOException $error) {
        assert($error->getCode() === '42501', "$statement: {$error->getMessage()}");
    }
}
$server->exec('RESET ROLE; DROP ROLE migrations');

$connection = $connect();
$connection->getDatabasePlatform()->registerDoctrineTypeMapping('iuid', 'guid');
$connection->getConfiguration()->setSchemaAssetsFilter(fn ($name) => !preg_match('/^(iuid\.|uidext_internal\.|events)/', $name));
$left = difference($connection, $model);
assert($left === [], print_r($left, true));

// without 'default' beside it the next diff drops the DEFAULT
$rides->getColumn('id')->setDefault(null);
assert(difference($connection, $model) === ['ALTER TABLE rides ALTER id DROP DEFAULT']);

$quoted = new Schema();
$quoted->createTable('quoted')->addColumn('id', 'guid', ['default' => 'gen_uuidv7()']);
assert(str_contains($quoted->toSql($connection->getDatabasePlatform())[0], "DEFAULT 'gen_uuidv7()'"));
