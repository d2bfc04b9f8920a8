# move_table.psql: a trigger that writes other rows of its table between those of a statement.  They are copied before these,
# whose old values the copy still has.  prepare names such a trigger where a unique index could refuse the copying, and
# a statement that writes one row goes on.

use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib dirname(__FILE__) . '/../include';
use Recipes;

my $node = server();
my $shop = empty_shop();
my $recipe = new_recipe(file => 'move_table.psql');

sub keeper { return sql('shop', "SET ROLE keeper; SET search_path = shop, public; $_[0]") }

sub play_step { return step($recipe, $shop, $_[0], variables => { table => 'shop.tasks' }) }

sub plays { return each_succeeds(\&play_step, 'move_table', @_) }

my $notice = pattern(
	qr/NOTICE:  until do=drop a statement that writes several rows of table shop\.tasks can fail with "duplicate key value /,
	qr/violates unique constraint", because function shop\.close_gap\(\) of trigger close_gap may write other rows before all /,
	qr/rows of the statement are copied: let each statement write one row\n/);

keeper(q(
	CREATE TABLE tasks (id int PRIMARY KEY, position int NOT NULL);
	CREATE TABLE tasks_done (id int);
	CREATE FUNCTION close_gap() RETURNS trigger LANGUAGE plpgsql AS '
		BEGIN
			UPDATE shop.tasks t SET position = n
			FROM (SELECT id, row_number() OVER (ORDER BY position) AS n FROM shop.tasks) AS r
			WHERE t.id = r.id AND t.position <> n;
			RETURN NULL;
		END';
	CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS '
		BEGIN
			INSERT INTO shop.tasks_done SELECT OLD.id FROM shop.tasks;
			RETURN NULL;
		END';
	CREATE TRIGGER close_gap AFTER DELETE ON tasks FOR EACH ROW EXECUTE FUNCTION close_gap();
	CREATE TRIGGER note AFTER DELETE ON tasks FOR EACH ROW EXECUTE FUNCTION note();
	INSERT INTO tasks SELECT n, n FROM generate_series(1, 6) n));
my $said = play_step('prepare')->{said};
unlike($said, qr/can fail with "duplicate key/, 'without a further unique index there is nothing to say');
plays('back');
keeper('ALTER TABLE tasks ADD UNIQUE (position)');
$said = play_step('prepare')->{said};
like($said, $notice, 'prepare names the trigger');
unlike($said, qr/note\(\)/, 'and not one that writes another table');
plays('fill');
my (undef, undef, $error) = $node->psql('shop', 'SET ROLE keeper; DELETE FROM shop.tasks WHERE id IN (1, 2)');
like($error, qr/duplicate key value violates unique constraint "tasks_move_position_key"/, 'a statement that writes two rows fails');
keeper('DELETE FROM tasks WHERE id = 1; DELETE FROM tasks WHERE id = 2');
is(keeper(q(SELECT string_agg(id || ' ' || position, ', ' ORDER BY id) FROM tasks)), '3 1, 4 2, 5 3, 6 4',
	'each of two that write one row goes on');
plays(qw(switch drop));

done_testing();
