/*-------------------------------------------------------------------------
 *
 * estimate_planner.c
 *	  What is remembered while one query, or a part of it, is planned.
 *
 * To evaluate a constant, functions run that may plan queries themselves, so
 * several planners can be active at once.  What is remembered for a planner is
 * forgotten when its memory is freed.
 *
 *-------------------------------------------------------------------------
 */
#include "base/uidext.h"

#include "optimizer/optimizer.h"

#include "time/estimate_planner.h"

typedef struct Planner
{
	MemoryContextCallback forget;
	struct Planner *next;
	const PlannerInfo *root;
	PlannerPhase phase;
	int			size;
	Comparisons **relations;	/* by relid; NULL: not yet */
	List	   *operands;		/* that have been evaluated */
	List	   *values;			/* of each */
} Planner;

/* More are evaluated each time. */
#define OPERANDS_MAX	32

static Planner *planners = NULL;

static void
forget_planner(void *arg)
{
	Planner   **link = &planners;

	while (*link != arg)
		link = &(*link)->next;
	*link = (*link)->next;
}

static Planner *
find_planner(const PlannerInfo *root)
{
	Planner    *planner = planners;

	while (planner != NULL && planner->root != root)
		planner = planner->next;
	return planner;
}

static Planner *
planner_of(const PlannerInfo *root)
{
	Planner    *planner = find_planner(root);

	if (planner != NULL)
		return planner;

	planner = MemoryContextAllocZero(root->planner_cxt, sizeof(Planner));
	planner->root = root;
	planner->next = planners;
	planners = planner;
	planner->forget.func = forget_planner;
	planner->forget.arg = planner;
	MemoryContextRegisterResetCallback(root->planner_cxt, &planner->forget);
	return planner;
}

/* The phase of planning. */
PlannerPhase
planner_phase(const PlannerInfo *root)
{
	const Planner *planner = find_planner(root);

	return planner ? planner->phase : PHASE_RELATIONS;
}

void
planner_set_phase(const PlannerInfo *root, PlannerPhase phase)
{
	planner_of(root)->phase = phase;
}

/* The planner adds partitions to the relations that a query begins with. */
static void
make_room(Planner *planner, int size)
{
	Comparisons **relations;

	if (size <= planner->size)
		return;
	relations = MemoryContextAllocZero(planner->root->planner_cxt,
									   size * sizeof(Comparisons *));
	if (planner->size > 0)
		memcpy(relations, planner->relations,
			   planner->size * sizeof(Comparisons *));
	planner->relations = relations;
	planner->size = size;
}

/* Where the comparisons of a relation are remembered. */
Comparisons **
planner_relation(const PlannerInfo *root, Index relid)
{
	Planner    *planner = planner_of(root);

	Assert(relid < root->simple_rel_array_size);
	make_room(planner, root->simple_rel_array_size);
	return &planner->relations[relid];
}

/*
 * An operand as a constant, where the planner would evaluate it.  It is
 * remembered, because it is compared with a column of each partition, and a
 * function in it may be slow.
 */
Node *
planner_value(PlannerInfo *root, Node *operand)
{
	Planner    *planner = planner_of(root);
	Node	   *value;
	ListCell   *known;
	ListCell   *cell;
	MemoryContext old;

	forboth(known, planner->operands, cell, planner->values)
	{
		if (equal(lfirst(known), operand))
			return lfirst(cell);
	}
	old = MemoryContextSwitchTo(root->planner_cxt);
	value = estimate_expression_value(root, operand);
	if (list_length(planner->operands) < OPERANDS_MAX)
	{
		planner->operands = lappend(planner->operands, operand);
		planner->values = lappend(planner->values, value);
	}
	MemoryContextSwitchTo(old);
	return value;
}
