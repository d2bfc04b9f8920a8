# Whatever a definition says of ids goes through pg_upgrade, which restores one object
# after the other, those of the extension among them, under an empty search_path.
use strict;
use warnings;

use File::Basename;
use lib dirname(__FILE__) . '/../include';
use Constructs;
use Test::More;
use Upgrade;

plan_upgrade();
my ($old, $new) = new_clusters();
my @schemas = ('public', 'ids');

make_constructs($old, "shop_$_", $_, upgrade => 1) foreach @schemas;
my %answers = map { $_ => answers_of($old, "shop_$_") } @schemas;
like($answers{$_}, qr/^uuid_shop\.row_distinct\|10\|/m, "extension in $_: there is something to upgrade") foreach @schemas;

upgrade_ok($old, $new);
is(answers_of($new, "shop_$_"), $answers{$_}, "extension in $_: all types and rows are the same") foreach @schemas;

$new->stop;
done_testing();
