/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The figures of a recording as eBPF programs count them, and the agent reads them: of every
 * mechanism the same.  All times are in ns.
 */
#ifndef KVIEW_FIGURES_LAYOUT_H
#define KVIEW_FIGURES_LAYOUT_H

#include "bpf/metrics.h"

#define XP_BUCKETS	640

/*
 * There is a set of counters for each metric, and one more for calls that were on the CPU all the
 * time.  For such a call wall-clock and on-CPU time are the same value, so it is counted only in
 * this set, and a reader adds it to both XP_WALL and XP_ON_CPU.
 *
 * Hits of a tracepoint take no time.  Each is counted as a call that ended, and XP_BETWEEN alone is measured, in the place of
 * that set.
 */
#define XP_UNDIVIDED	XP_METRICS
#define XP_SETS		(XP_METRICS + 1)
_Static_assert(XP_BETWEEN == XP_UNDIVIDED, "hits are counted in the place of undivided calls");
/*
 * Classes of what costs the traced process something.  The first ones are of calls, which are
 * counted by the class of their end.  What each class is, the mechanism defines.
 */
#define XP_COST_CALLS	6
#define XP_COST_CLASSES	8	/* a power of two */

/*
 * What probes cost: inner_ns within the measured time of a call, call_ns in all, which its caller
 * pays; a passed site has call_ns alone.  These are the costs with warm caches and without a busy
 * neighbour.  In other conditions a cost is higher by at most its spread.
 */
struct xp_cost {
	__u64 inner_ns;
	__u64 call_ns;
	__u64 inner_spread_ns;
	__u64 call_spread_ns;
	/* Halfway between call_ns with warm and with cold caches; never used to subtract. */
	__u64 likely_ns;
	/*
	 * How much more a call costs whose thread met no probe for long, as it slept or did other things, see XP_RESTED_NS: than
	 * inner_ns and its spread at most, than call_ns and its spread at most, and than likely_ns, likely.
	 */
	__u64 rested_inner_ns;
	__u64 rested_call_ns;
	__u64 rested_likely_ns;
	/*
	 * About how long a CPU takes to make its caches cold: no more calls than one in that time are taken to find them so,
	 * and the others to cost call_ns.  0: any call may.
	 */
	__u64 cold_every_ns;
	/*
	 * The entry's part of call_ns, for entries whose end is not measured here; it may be wrong
	 * by entry_spread_ns.
	 */
	__u64 entry_ns;
	__u64 entry_spread_ns;
};

/*
 * Maps with one value for each slot, function and set; a CPU writes to slot
 * (cpu & (slots - 1)):
 *
 *	index = (slot * functions + function) * XP_SETS + set
 *
 * Counts and buckets are in separate maps, so that a reader touches only the buckets that changed.
 */
struct xp_total {
	/*
	 * Not used for XP_UNDIVIDED: ended counts the calls of XP_WALL and XP_UNDIVIDED together.
	 */
	__u64 count;
	__u64 total_ns;
	__u64 max_ns;
};

/* Counted modulo 2^32: a reader takes differences more often than that. */
struct xp_buckets {
	__u32 count[XP_BUCKETS];
};

/* All ways in which a call that was counted can fail to be measured: but for the last one LostCalls in agent.proto. */
enum xp_lost {
	XP_LOST_TOO_DEEP,	/* nested too deep to be followed */
	XP_LOST_NO_MEMORY,	/* no state for its thread could be had */
	XP_LOST_END_UNSEEN,	/* it ended, and no probe saw it */
	XP_LOST_PROBES_OFF,	/* its function's probes came off while it ran */
	XP_LOST_EXEC,		/* the process executed another program in it */
	/* No way to fail, and not told as one: it was followed to its end, and its condition is not true of it. */
	XP_LOST_UNMATCHED,
	XP_LOST_WAYS
};

/*
 * One for each slot and function; just numbers of 64 bits.  Once nothing is attached
 *
 *	calls = timed + abandoned + unfinished + the sum of lost
 *
 * where timed is the sum of ended.  Before that, calls is larger by the calls under way.
 */
struct xp_calls {
	__u64 calls;
	__u64 abandoned;
	__u64 unfinished;
	__u64 lost[XP_LOST_WAYS];
	__u64 cut;		/* timed: until they went on to another function */
	__u64 inconsistent;	/* timed: shorter than what had to be subtracted, made to fit */
	__u64 passed;		/* sites that neither began nor ended a call */
	__u64 returns;		/* no calls: returns whose call was not seen */
	__u64 unmatched;	/* no calls: their condition is not true of them, so nobody waits for their end */
	__u64 never_begun;	/* among the returns: surely not of one from before the recording */
	/* Among the returns, and the never begun where these are counted: their thread had no state, so the call may be one of XP_LOST_NO_MEMORY. */
	__u64 stateless;
	/*
	 * The probes' own time: what was taken off the figures, and may be wrong, either way.  The
	 * part that depends only on a call's class is not in them: a reader computes it from ended
	 * and adds it.  What is in them can be negative, and so is modulo 2^64.  missing_ns is time
	 * that could not be subtracted because calls were shorter: a reader subtracts it from
	 * removed_ns and adds it to uncertain_ns.
	 */
	__u64 ended[XP_COST_CALLS];
	__u64 removed_ns;
	__u64 uncertain_ns;
	__u64 missing_ns;
	/*
	 * Of removed_ns: time off the CPU within probes' traps.  And the sum of the squares of these
	 * times, in units of XP_SQUARE_NS, for their random error.
	 */
	__u64 waited_ns;
	__u64 waited_squares;
	__u64 cost_ns;		/* of all the function's probes; of calls, without what follows from their class */
	__u64 rested_ns;	/* what its calls cost more that came after their thread met no probe for long; a reader adds it to cost_ns */
	/* Bounds to check the figures against, see FunctionDelta in agent.proto. */
	__u64 inner_ns;		/* timed calls: what the measured calls within them took */
	__u64 threads;		/* that entered it, at least once each */
	__u64 places;		/* over its threads: how many calls of it a thread can be in at once */
};

#define XP_SQUARE_NS	1024

/*
 * A thread's probe that comes so long after its last one finds ever less of the way there: caches, translations of addresses and
 * branches are as others left them, and the CPU comes out of a deeper sleep.  What it costs more grows with that time.
 * bench/cost-bounds --seldom shows how: it is as much as after any longer rest from XP_RESTED_NS on, and is sure to be no more
 * than the part of it that the time has of XP_RESTED_MOST_NS.
 */
#define XP_RESTING_NS		100000
#define XP_RESTED_MOST_NS	2000000
#define XP_RESTED_NS		6000000

/*
 * Calls that failed, by what they returned: of each slot and function XP_FAILED_PLACES numbers, by the errno.  Those from XP_RESTARTS on,
 * which the kernel keeps to itself and other tracers show, come after the public ones, and place 0 is for any other.
 */
#define XP_MAX_ERRNO		4095
#define XP_FAILED_PLACES	160
#define XP_RESTARTS		512
#define XP_RESTARTS_PLACE	140
#define XP_FAILED_PLACE(errno)	((errno) < XP_RESTARTS_PLACE ? (errno) :				\
	(errno) >= XP_RESTARTS && (errno) < XP_RESTARTS + XP_FAILED_PLACES - XP_RESTARTS_PLACE ?	\
		(errno) - XP_RESTARTS + XP_RESTARTS_PLACE : 0)
#define XP_FAILED_ERRNO(place)	((place) < XP_RESTARTS_PLACE ? (place) : (place) - XP_RESTARTS_PLACE + XP_RESTARTS)

#endif
