<?php
function get_booking(PDO $pdo, string $publicId): array
{
    try {
        $statement = $pdo->prepare("SELECT guest FROM bookings WHERE id = typeid_to_uuid(?, 'booking')");
        $statement->execute([$publicId]);
        $guest = $statement->fetchColumn();
    } catch (PDOException $e) {
        if (!str_starts_with($e->getCode(), '22')) {
            throw $e;
        }
        $guest = false;
    }
    return $guest === false ? [404, 'no such booking'] : [200, $guest];
}
