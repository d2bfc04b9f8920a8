-- What the suites take for granted, whatever the server's own settings are.
-- First after BEGIN, for the level of isolation cannot be changed later.

SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET LOCAL timezone = 'UTC';
SET LOCAL datestyle = 'ISO, MDY';
SET LOCAL intervalstyle = 'postgres';
SET LOCAL bytea_output = 'hex';
SET LOCAL standard_conforming_strings = on;
SET LOCAL client_min_messages = 'warning';
SET LOCAL jit = off;
