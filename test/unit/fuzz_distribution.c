/*-------------------------------------------------------------------------
 *
 * fuzz_distribution.c
 *	  For any histogram, ends and constants: shares lie between 0 and 1 and only
 *	  rise, pieces lie where they should, and their shares add up.
 *
 *-------------------------------------------------------------------------
 */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "pure/distribution.h"

#define IDS_MAX		64

#define LAW(holds)	((holds) ? (void) 0 : abort())

/* The next 16 bytes, or two that stand for all: ids close to each other. */
static bool
next_id(const uint8_t **data, size_t *size, bool is_short, UuidWords *id)
{
	size_t		length = is_short ? 2 : 16;
	unsigned char bytes[16] = {0};

	if (*size < length)
		return false;
	memcpy(bytes + 16 - length, *data, length);
	*data += length;
	*size -= length;
	*id = layout_load(bytes);
	return true;
}

static void
check_pieces(const Distribution *d, const UuidWords *cuts, int cut_count, double single)
{
	DistributionPiece pieces[DISTRIBUTION_PIECES(IDS_MAX)];
	int			count = distribution_cut(d, cuts, cut_count, single, pieces);
	double		sum = 0;

	LAW(count <= DISTRIBUTION_PIECES(cut_count));
	for (int i = 0; i < count; i++)
	{
		LAW(pieces[i].share > 0 && pieces[i].share <= 1 + 1e-9);
		for (int j = 0; single == 0 && j < cut_count; j++)
			LAW(!layout_equal(pieces[i].at, cuts[j]) || layout_equal(cuts[j], UUID_WORDS_MAX));
		LAW(i == 0 || layout_compare(pieces[i - 1].at, pieces[i].at) <= 0);
		sum += pieces[i].share;
	}
	LAW(fabs(sum - 1) < 1e-9);
}

int			LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	UuidWords	ids[IDS_MAX];
	UuidWords	first,
				last;
	Distribution d;
	int			count = 0;
	int			bounds;
	int			cuts;
	uint8_t		what;
	double		before = 0;

	if (size < 3)
		return 0;
	what = data[0];
	bounds = 2 + data[1] % 20;
	cuts = 1 + data[2] % 20;
	data += 3;
	size -= 3;
	if (!next_id(&data, &size, what & 1, &first) || !next_id(&data, &size, what & 1, &last))
		return 0;
	while (count < IDS_MAX && next_id(&data, &size, what & 1, &ids[count]))
		count++;
	if (count < bounds + cuts)
		return 0;

	qsort(ids, bounds, sizeof(UuidWords), distribution_compare);
	cuts = distribution_sort(ids + bounds, cuts);
	distribution_init(&d, ids, bounds);
	if (what & 2)
		distribution_set_first(&d, first);
	if (what & 4)
		distribution_set_last(&d, last, (what >> 4) / 4.0);
	for (int i = bounds; i < bounds + cuts; i++)
	{
		double		share = distribution_share_up_to(&d, ids[i]);

		LAW(isfinite(share) && share >= before && share <= 1);
		before = share;
	}
	check_pieces(&d, ids + bounds, cuts, what & 8 ? 0.01 : 0);
	return 0;
}
