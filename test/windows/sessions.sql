SET uidext.node = 'server';
INSERT INTO ids
SELECT :client_id, n, gen_ordered_uuidv7(), uid_next('snowflake', 1), gen_uuidv1()
FROM generate_series(1, 5000) AS n;
