-- Requests for a booking by its public id, each with the status and the body to answer.
-- What a language can send beside, such as a zero byte, stands in its test.

CREATE TABLE requests (
	public_id text PRIMARY KEY,
	status int NOT NULL DEFAULT 404,
	body text NOT NULL DEFAULT 'no such booking'
);

WITH eve AS (INSERT INTO bookings (guest) VALUES ('Eve') RETURNING id)
INSERT INTO requests SELECT uuid_to_typeid(id, 'booking'), 200, 'Eve' FROM eve;

-- other kinds, other writings, nobody's, and no ids
INSERT INTO requests (public_id)
SELECT v.public_id FROM requests AS r,
	LATERAL (VALUES (uuid_to_typeid(typeid_to_uuid(r.public_id), 'user')), (upper(r.public_id)), (r.public_id || '0'),
		('booking_00000000000000000000000000'), ('booking_zzz'), ('nothing'), ('')) AS v(public_id);
