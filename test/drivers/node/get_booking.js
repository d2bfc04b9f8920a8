export async function getBooking(client, publicId) {
  try {
    const { rows } = await client.query("SELECT guest FROM bookings WHERE id = typeid_to_uuid($1, 'booking')", [publicId])
    if (rows.length > 0) return [200, rows[0].guest]
  } catch (error) {
    if (!error.code?.startsWith('22')) throw error
  }
  return [404, 'no such booking']
}
