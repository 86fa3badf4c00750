// SPDX-License-Identifier: GPL-2.0
/*
 * Events that come by two rings and by a mechanism's own reader are in one trace in the order of time, with the recording's
 * ids of points, and what any of them had no room for is counted.  An eBPF program of the test's own writes the records.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <linux/bpf.h>

#include "base/loop.h"
#include "check.h"
#include "recording/events.h"

#define RINGS		2
#define SOURCES		3	/* the last one is a reader */
#define WORDS		4	/* of a record */
#define NR_TIMES	64

/* As the layout of the trace has them, see trace.tsdl. */
#define PACKET_BYTES	76
#define ENTRY_BYTES	22
#define NAME_BYTES	37

static int ring_fd[RINGS], program_fd[RINGS];
static uint64_t dropped[RINGS][XP_MAX_CPUS];
static uint64_t times[NR_TIMES], discarded;
static uint32_t functions[NR_TIMES];
static size_t nr;

/* What the reader has, and hands over one by one. */
static struct xp_event_call own[2];
static size_t nr_own, handed_over;
static uint64_t own_settled_ns;

/* Copies its context into a record of the ring. */
static int program__load(int ring)
{
	struct bpf_insn insns[3 + 2 * WORDS + 6], *at = insns;
	int i;

	*at++ = (struct bpf_insn){ BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_6, BPF_REG_1, 0, 0 };
	for (i = 0; i < WORDS; i++) {
		*at++ = (struct bpf_insn){ BPF_LDX | BPF_MEM | BPF_DW, BPF_REG_1, BPF_REG_6, 8 * i, 0 };
		*at++ = (struct bpf_insn){ BPF_STX | BPF_MEM | BPF_DW, BPF_REG_10, BPF_REG_1, 8 * i - 8 * WORDS, 0 };
	}
	*at++ = (struct bpf_insn){ BPF_LD | BPF_DW | BPF_IMM, BPF_REG_1, BPF_PSEUDO_MAP_FD, 0, ring };
	*at++ = (struct bpf_insn){ 0 };
	*at++ = (struct bpf_insn){ BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_2, BPF_REG_10, 0, 0 };
	*at++ = (struct bpf_insn){ BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_2, 0, 0, -8 * WORDS };
	*at++ = (struct bpf_insn){ BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_3, 0, 0, 8 * WORDS };
	*at++ = (struct bpf_insn){ BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_4, 0, 0, 0 };
	*at++ = (struct bpf_insn){ BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_ringbuf_output };
	*at++ = (struct bpf_insn){ BPF_JMP | BPF_EXIT, 0, 0, 0, 0 };
	return bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, "writes", "GPL", insns, at - insns, NULL);
}

static void write_entry(int ring, uint64_t time_ns, uint32_t function)
{
	struct xp_event_call call = {
		.head = { .reserved_ns = time_ns - 1, .time_ns = time_ns, .tid = 1, .type = XP_CALL_ENTRY },
		.function = function,
	};
	LIBBPF_OPTS(bpf_test_run_opts, run, .ctx_in = &call, .ctx_size_in = sizeof(call));

	_Static_assert(sizeof(call) == 8 * WORDS, "the record's length");
	if (bpf_prog_test_run_opts(program_fd[ring], &run) || run.retval)
		check(false, "the program writes", run.retval);
}

static bool own__read(struct mechanism *mechanism, uint64_t now_ns,
		      void (*take)(void *context, const struct xp_event *event, size_t bytes), void *context)
{
	if (handed_over == nr_own)
		return false;
	take(context, &own[handed_over].head, sizeof(*own));
	handed_over++;
	return true;
}

static uint64_t own__settled_ns(const struct mechanism *mechanism)
{
	return own_settled_ns;
}

static uint64_t own__dropped(const struct mechanism *mechanism, uint32_t cpu)
{
	return cpu ? 0 : 5;
}

static uint64_t number(const uint8_t *at, int bytes)
{
	uint64_t value = 0;

	while (bytes--)
		value = value << 8 | at[bytes];
	return value;
}

static void take_packet(void *context, uint32_t cpu, const struct ctf_packet *packet)
{
	const uint8_t *at = packet->bytes + PACKET_BYTES;

	discarded = number(packet->bytes + PACKET_BYTES - 12, 8);
	while (at < packet->bytes + packet->length) {
		bool is_entry = number(at, 4) == XP_CALL_ENTRY;

		if (is_entry && nr < NR_TIMES) {
			times[nr] = number(at + 4, 8);
			functions[nr++] = number(at + 16, 4);
		}
		at += is_entry ? ENTRY_BYTES : NAME_BYTES;
	}
}

static bool must_wait(void *context)
{
	return false;
}

static struct events *start(struct mechanisms_source *sources)
{
	static const struct mechanism_reader reader = { own__read, own__settled_ns, own__dropped, NULL };
	static const uint32_t points[SOURCES][2] = { { 0, 3 }, { 1, 2 }, { 5, 4 } };
	struct events_opts opts = {
		.sources = sources, .nr_sources = SOURCES, .start_ns = 1000, .pid = getpid(),
		.packet = take_packet, .must_wait = must_wait,
	};
	int i;

	for (i = 0; i < RINGS; i++) {
		ring_fd[i] = bpf_map_create(BPF_MAP_TYPE_RINGBUF, "events", 0, 0, 1 << 16, NULL);
		program_fd[i] = program__load(ring_fd[i]);
		if (ring_fd[i] < 0 || program_fd[i] < 0)
			return NULL;
		sources[i] = (struct mechanisms_source){ .ring = { .fd = ring_fd[i], .dropped = dropped[i] }, .points = points[i], .nr = 2 };
	}
	sources[RINGS] = (struct mechanisms_source){ .reader = &reader, .points = points[RINGS], .nr = 2 };
	return events__new(&opts);
}

int main(void)
{
	struct mechanisms_source sources[SOURCES];
	struct events *events;
	bool is_ordered = true;
	uint64_t begin_ns;
	size_t i;

	setvbuf(stdout, NULL, _IOLBF, 0);
	events = start(sources);
	if (!events) {
		printf("not ok rings are read: %m\n");
		return 1;
	}
	write_entry(0, 900, 7);
	/* Later than the clock is now: that the second ring is empty says nothing of these times. */
	begin_ns = clock__now_ns() + 3600000000000;
	for (i = 0; i < 5; i++)
		write_entry(0, begin_ns + 100 * i, i % 2);
	events__drain(events, true);
	check(!nr, "events wait while the other ring may have earlier ones", nr);
	for (i = 0; i < 5; i++)
		write_entry(1, begin_ns + 50 + 100 * i, i % 2);
	events__drain(events, true);
	check(!nr, "and while the reader may", nr);
	for (i = 0; i < 2; i++)
		own[i] = (struct xp_event_call){
			.head = { .time_ns = begin_ns + 25 + 500 * i, .tid = 1, .type = XP_CALL_ENTRY }, .function = 1 };
	nr_own = 2;
	own_settled_ns = begin_ns + 600;
	events__drain(events, true);
	check(nr == 9, "they come as far as all are known", nr);
	dropped[0][0] = 3;
	dropped[1][0] = 4;
	events__finish(events);
	for (i = 1; i < nr; i++)
		is_ordered &= times[i] > times[i - 1];
	check(nr == 12, "all events come, but those before the start", nr);
	check(is_ordered, "in the order of time", 1);
	check(functions[0] == 0 && functions[1] == 4 && functions[2] == 1 && functions[3] == 3 && functions[4] == 2,
	      "with the recording's ids", functions[2]);
	check(events__dropped(events) == 12 && discarded == 12, "what had no room in any is counted", discarded);
	events__free(events);
	return failed;
}
