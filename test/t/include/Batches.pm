# Whether COPY inserts in batches, by its WAL records.
package Batches;

use strict;
use warnings;

use Exporter 'import';

our @EXPORT = qw(inserted);

# How a command inserts its rows, of which there are 100 or more.  The database needs
# pg_walinspect.  As autovacuum and others may write a few rows meanwhile, there are
# some records of single rows beside the batches.
sub inserted
{
	my ($node, $database, $command) = @_;
	my $start = $node->safe_psql($database, 'SELECT pg_current_wal_insert_lsn()');

	$node->safe_psql($database, $command);
	my $records = $node->safe_psql(
		$database,
		qq(
			SELECT count(*) FILTER (WHERE record_type LIKE 'MULTI\\_INSERT%'),
				count(*) FILTER (WHERE resource_manager = 'Heap' AND record_type LIKE 'INSERT%')
		FROM pg_get_wal_records_info('$start', pg_current_wal_flush_lsn())));
	my ($batches, $rows) = split /\|/, $records;
	return 'in batches' if $batches > 0 && $rows < 100;
	return 'row by row' if $batches == 0 && $rows >= 100;
	return "$batches batches, $rows rows";
}

1;
