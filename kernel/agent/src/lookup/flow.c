// SPDX-License-Identifier: GPL-2.0
#include "arch.h"
#include "arch/insn.h"
#include "lookup/code.h"
#include "lookup/flow.h"

#include <stdlib.h>
#include <string.h>

#include "base/partition_point.h"
#include "base/sort.h"

/* A limit, for functions that were written so that examining them never ends. */
#define MAX_EFFORT (1u << 25)
#define SLOT 16	/* stands for flow->slot where a register's number stands */

static bool goes_on_behind(const struct code_insn *insn)
{
	switch (insn->kind) {
	case CODE_END: case CODE_RET: case CODE_JUMP: case CODE_JUMP_REG: case CODE_JUMP_MEM:
		return false;
	default:
		return true;
	}
}

/* The index of an instruction, by its address. */
struct place {
	uint64_t address;
	uint32_t index;
};

static int compare_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

static int compare_edges(const void *a, const void *b)
{
	const struct flow_edge *x = a, *y = b;

	return x->to < y->to ? -1 : x->to > y->to;
}

static const struct place *find_place(const struct place *places, size_t nr, uint64_t address)
{
	size_t at = partition_point(nr, i, places[i].address < address);

	return at < nr && places[at].address == address ? &places[at] : NULL;
}

static int find_edges(struct flow *flow)
{
	struct place *places = malloc((flow->nr + 1) * sizeof(*places));
	bool ascending = true;

	if (!places)
		return -1;
	for (size_t i = 0; i < flow->nr; i++) {
		places[i] = (struct place){ flow->insns[i].address, i };
		ascending &= !i || places[i - 1].address < places[i].address;
	}
	if (!ascending)
		sort(places, flow->nr, sizeof(*places), compare_places);
	for (size_t i = 0; i < flow->nr; i++) {
		const struct code_insn *insn = &flow->insns[i];
		const struct place *to;

		if (insn->kind == CODE_JUMP_REG || insn->kind == CODE_JUMP_MEM)
			flow->indirect[flow->nr_indirect++] = i;
		if (insn->kind != CODE_JUMP && insn->kind != CODE_JUMP_COND &&
		    insn->kind != CODE_LOOP)
			continue;
		to = find_place(places, flow->nr, insn->target);
		if (to)
			flow->edges[flow->nr_edges++] = (struct flow_edge){ to->index, i };
	}
	free(places);
	if (flow->nr_edges)
		sort(flow->edges, flow->nr_edges, sizeof(*flow->edges), compare_edges);
	return 0;
}

int flow__init(struct flow *flow, const struct code_insn *insns, size_t nr, flow_bytes bytes_of,
	       const void *of)
{
	size_t jumps = 0;

	*flow = (struct flow){ .insns = insns, .nr = nr };
	for (size_t i = 0; i < nr; i++)
		jumps += insns[i].kind != CODE_PLAIN;
	flow->written = malloc((nr + 1) * sizeof(*flow->written));
	flow->edges = malloc((jumps + 1) * sizeof(*flow->edges));
	flow->indirect = malloc((jumps + 1) * sizeof(*flow->indirect));
	flow->visited = malloc(nr / 8 + 1);
	flow->waiting = malloc((nr + 1) * sizeof(*flow->waiting));
	if (!flow->written || !flow->edges || !flow->indirect || !flow->visited || !flow->waiting)
		return -1;
	for (size_t i = 0; i < nr; i++) {
		size_t left;
		const uint8_t *bytes = bytes_of(of, i, &left);

		flow->written[i] = bytes ? insn__written(&insns[i], bytes, left) : 0xffff;
	}
	return find_edges(flow);
}

void flow__free(struct flow *flow)
{
	free(flow->written);
	free(flow->edges);
	free(flow->indirect);
	free(flow->visited);
	free(flow->waiting);
	free(flow->slot.written);
	*flow = (struct flow){ 0 };
}

static void visit(struct flow *flow, uint32_t index, size_t *nr_waiting)
{
	if (flow->visited[index / 8] >> index % 8 & 1)
		return;
	flow->visited[index / 8] |= 1 << index % 8;
	flow->waiting[(*nr_waiting)++] = index;
}

/* Visits what may run just before insns[index]; false if that is in the caller, or not known. */
static bool visit_before(struct flow *flow, uint32_t index, bool leads_on, size_t *nr_waiting)
{
	size_t at;
	bool any = false;

	if (!index)
		return false;
	if (flow->insns[index - 1].address + flow->insns[index - 1].length ==
	    flow->insns[index].address && goes_on_behind(&flow->insns[index - 1])) {
		visit(flow, index - 1, nr_waiting);
		any = true;
	}
	at = partition_point(flow->nr_edges, i, flow->edges[i].to < index);
	for (; at < flow->nr_edges && flow->edges[at].to == index; at++) {
		visit(flow, flow->edges[at].from, nr_waiting);
		any = true;
	}
	if (leads_on && flow->nr_indirect)
		return true;
	for (size_t i = 0; !any && i < flow->nr_indirect; i++)
		visit(flow, flow->indirect[i], nr_waiting);
	return any || flow->nr_indirect;
}

static bool defines(const struct flow *flow, uint32_t index, uint8_t reg)
{
	return reg == SLOT ? flow->slot.written[index / 8] >> index % 8 & 1 :
			     flow->written[index] >> reg & 1;
}

static bool find_definitions(struct flow *flow, size_t index, uint8_t reg, bool leads_on,
			     bool may_be_none, struct flow_definitions *definitions)
{
	size_t nr_waiting = 0;

	definitions->nr = 0;
	if (index >= flow->nr || flow->effort > MAX_EFFORT)
		return false;
	flow->effort += flow->nr / 64 + 1;
	memset(flow->visited, 0, flow->nr / 8 + 1);
	if (!visit_before(flow, index, leads_on, &nr_waiting))
		return false;
	/* A path without a definition may begin after a call that in fact never returns. */
	may_be_none &= FLOW_KEPT_BY_CALLS >> reg & 1;
	while (nr_waiting) {
		uint32_t at = flow->waiting[--nr_waiting];

		flow->effort++;
		if (defines(flow, at, reg)) {
			if (definitions->nr == FLOW_MAX_DEFINITIONS)
				return false;
			definitions->at[definitions->nr++] = at;
		} else if (!visit_before(flow, at, leads_on, &nr_waiting) && !may_be_none) {
			return false;
		}
	}
	return definitions->nr;
}

bool flow__definitions(struct flow *flow, size_t index, uint8_t reg, bool leads_on,
		       struct flow_definitions *definitions)
{
	if (reg >= SLOT)
		return false;
	return (leads_on && find_definitions(flow, index, reg, true, true, definitions)) ||
	       find_definitions(flow, index, reg, false, leads_on, definitions);
}

bool flow__slot_definitions(struct flow *flow, size_t index,
			    struct flow_definitions *definitions)
{
	return flow->slot.written &&
	       (find_definitions(flow, index, SLOT, true, true, definitions) ||
		find_definitions(flow, index, SLOT, false, true, definitions));
}
