/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What calls do with block devices: requests and bytes, as the calling thread hands them to a device's queue, and how long the device
 * took for each request, as it has finished it.
 *
 *	block_getrq                     of the thread: a request for this bio
 *	block_bio_backmerge, frontmerge          likewise: the bio becomes a part of a request that waits
 *	block_rq_issue                  of anybody: the device begins; the request is known by its first bio
 *	block_rq_complete               of an interrupt
 *	block_rq_merge                  a request that waits becomes a part of the one before it, and has no time of its own
 *
 * A request's time is counted for the functions that its thread was in as it handed it over, whether these calls still go on or not.
 *
 * A flush without data is never issued itself: the queue has a request of its own without a bio (flush_rq), which it issues for all
 * flushes that wait, and completes before these.  One that comes while it is under way waits for the next.
 *
 * What is not known of a request, for want of room or as an event of it was not seen, is counted.
 */
#ifndef KVIEW_IO_BPF_H
#define KVIEW_IO_BPF_H

#define IO_REQUESTS	4096	/* that are told apart */
#define IO_OP_MASK	0xff	/* of bi_opf */
#define IO_OP_READ	0
#define IO_OP_WRITE	1
#define IO_OP_FLUSH	2

/* By the bio while it waits, then by the request; and each queue's own flush.  The kernel's addresses are never shown. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, IO_REQUESTS);
	__type(key, u64);
	__type(value, struct io_request);
} io_requests SEC(".maps");

/* Of the calls that the thread is in. */
struct io_walk {
	struct thread *t;
	struct io_request *request;
	u64 sp;			/* of the program */
	u32 depth;
	bool on_alt;
};

static long io__of_call(u32 round, void *context)
{
	struct io_walk *w = context;
	struct frame *f;

	if (!w->depth || w->request->nr >= IO_CALLS)
		return 1;
	w->depth--;
	f = frame__at(w->t, w->depth);
	if (f->function == FRAME_HOLE || function__is_off(f->function) || frame__link_is_gone(f))
		return 0;
	/*
	 * Left by longjmp or an exception, after which the thread may be as deep again in what is not measured: what it called there
	 * has overwritten the return address.  At the very sp of its entry runs a call that has put nothing on its stack.
	 */
	if (!frame__is_live(f, w->sp, w->on_alt, true) || (f->returns_to && !frame__is_in_place(f, true)) || frame__is_of_unseen_exec(f))
		return 0;
	/* Of those that are not decided yet nothing is told, as it could not be taken back. */
	if (has_conditions && f->flags & (FRAME_DIFFERS | FRAME_UNDECIDED))
		return 0;
	w->request->functions[BOUND(w->request->nr, IO_CALLS - 1)] = f->function;
	w->request->nr++;
	return 0;
}

struct io_end {
	const struct io_request *request;
	u64 value;
	enum xp_quantity quantity;
};

static long io__count(u32 round, void *context)
{
	struct io_end *end = context;
	u32 function;

	if (round >= end->request->nr)
		return 1;
	function = end->request->functions[BOUND(round, IO_CALLS - 1)];
	metric__count(slot__index(first_quantities + function) * XP_SETS + XP_QUANTITY_SET(end->quantity), end->value, false);
	return 0;
}

/* Nobody will know how long the device takes for it. */
static __always_inline void io__lose(const struct io_request *request)
{
	struct io_end end = { .request = request, .value = 1, .quantity = XP_IO_UNTIMED };

	bpf_loop(IO_CALLS, io__count, &end, 0);
}

/* What is still known by a bio that is a new one: of one that was there before, and was not seen to be issued, or to end. */
static __always_inline void io__forget(const u64 *bio)
{
	struct io_request *known = bpf_map_lookup_elem(&io_requests, bio);

	if (!known)
		return;
	if (is_active())
		io__lose(known);
	bpf_map_delete_elem(&io_requests, bio);
}

static __always_inline void bio__is_handed_over(const struct bio *bio, struct measured_thread *m)
{
	u32 bytes = bio->bi_iter.bi_size, op = bio->bi_opf & IO_OP_MASK;

	if (op == IO_OP_READ)
		m->now[XP_IO_READ_BYTES] += bytes;
	else if (op == IO_OP_WRITE)
		m->now[XP_IO_WRITTEN_BYTES] += bytes;
}

/* The state of this thread if it is in measured calls, and what is counted of them. */
static __always_inline struct thread *io__thread(struct measured_thread **m)
{
	struct thread *t;

	if (!is_active())
		return NULL;
	*m = measured_thread__of(bpf_get_current_task_btf());
	t = *m ? bpf_task_storage_get(&threads, bpf_get_current_task_btf(), NULL, 0) : NULL;
	return t && t->depth ? t : NULL;
}

/* What this takes lies within the calls, and is not theirs. */
static __always_inline void io__pay(struct thread *t, u64 begin_ns)
{
	t->overhead_ns += bpf_ktime_get_ns() - begin_ns;
}

SEC("tp_btf/block_getrq")
int BPF_PROG(io_begins, struct bio *bio)
{
	u64 begin_ns = bpf_ktime_get_ns(), key = (u64)bio;
	struct task_struct *task = bpf_get_current_task_btf();
	struct measured_thread *m;
	struct io_walk w = { .t = io__thread(&m) };

	io__forget(&key);
	if (!w.t)
		return 0;
	bio__is_handed_over(bio, m);
	m->now[XP_IO_REQUESTS]++;
	w.request = &m->request;
	w.request->issued_ns = begin_ns;
	w.request->nr = 0;
	w.depth = w.t->depth;
	w.sp = PT_REGS_SP((struct pt_regs *)bpf_task_pt_regs(task));
	w.on_alt = sp__is_on_alt(task, w.sp);
	bpf_loop(XP_DEPTH, io__of_call, &w, 0);
	/* Where it is of calls that are left, it is nobody's. */
	if (m->request.nr && bpf_map_update_elem(&io_requests, &key, &m->request, BPF_ANY))
		io__lose(&m->request);
	io__pay(w.t, begin_ns);
	return 0;
}

static __always_inline int io__joins(const struct bio *bio)
{
	u64 begin_ns = bpf_ktime_get_ns(), key = (u64)bio;
	struct measured_thread *m;
	struct thread *t = io__thread(&m);

	/* A bio that joins a request in front would bring it along. */
	io__forget(&key);
	if (!t)
		return 0;
	bio__is_handed_over(bio, m);
	io__pay(t, begin_ns);
	return 0;
}

SEC("tp_btf/block_bio_backmerge")
int BPF_PROG(io_joins_behind, struct bio *bio)
{
	return io__joins(bio);
}

SEC("tp_btf/block_bio_frontmerge")
int BPF_PROG(io_joins_before, struct bio *bio)
{
	return io__joins(bio);
}

static __always_inline bool io__is_own_flush(const struct request *request)
{
	return !request->bio && (request->cmd_flags & IO_OP_MASK) == IO_OP_FLUSH;
}

/* By which bio a request that waits is known: that which it was made for is the first one, or the last, if others came before it. */
static __always_inline struct io_request *io__waiting(const struct request *request, u64 *bio)
{
	struct io_request *known;

	*bio = (u64)request->bio;
	known = bpf_map_lookup_elem(&io_requests, bio);
	if (known)
		return known;
	*bio = (u64)request->biotail;
	return bpf_map_lookup_elem(&io_requests, bio);
}

static __always_inline bool io__is_same(const struct io_request *known, const struct request *request)
{
	return known->tail == (u64)request->biotail && known->start_ns == request->start_time_ns;
}

/* That which the kernel used for another before, whose end was not seen, is another one.  Returns what is known of this one. */
static __always_inline struct io_request *io__issued(const struct request *request)
{
	u64 key = (u64)request;
	struct io_request *known = bpf_map_lookup_elem(&io_requests, &key);

	if (!known || io__is_same(known, request))
		return known;
	io__lose(known);
	bpf_map_delete_elem(&io_requests, &key);
	return NULL;
}

SEC("tp_btf/block_rq_merge")
int BPF_PROG(io_is_merged, struct request *request)
{
	u64 bio;

	if (io__waiting(request, &bio))
		io__forget(&bio);
	return 0;
}

SEC("tp_btf/block_rq_issue")
int BPF_PROG(io_is_issued, struct request *request)
{
	u64 key = (u64)request, bio;
	struct io_request *known, issued = { 0 };

	if (!is_active())
		return 0;
	issued.issued_ns = bpf_ktime_get_ns();
	if (io__is_own_flush(request)) {
		bpf_map_update_elem(&io_requests, &key, &issued, BPF_ANY);
		return 0;
	}
	/* One that was given back to the queue goes on from its first issue. */
	io__issued(request);
	known = io__waiting(request, &bio);
	if (!known)
		return 0;
	known->issued_ns = issued.issued_ns;
	known->tail = (u64)request->biotail;
	known->start_ns = request->start_time_ns;
	if (bpf_map_update_elem(&io_requests, &key, known, BPF_ANY))
		io__lose(known);
	bpf_map_delete_elem(&io_requests, &bio);
	return 0;
}

/* Of a flush without data: when the queue's own, which did its work, was issued; 0: unknown. */
static __always_inline u64 io__flush_issued_ns(const struct request *request, const struct io_request *known)
{
	const struct io_request *own;
	u64 key;

	if (!bpf_core_field_exists(((struct blk_mq_hw_ctx *)0)->fq) || !bpf_core_field_exists(((struct blk_flush_queue *)0)->flush_rq))
		return 0;
	key = (u64)request->mq_hctx->fq->flush_rq;
	own = bpf_map_lookup_elem(&io_requests, &key);
	return own && own->issued_ns >= known->issued_ns ? own->issued_ns : 0;
}

SEC("tp_btf/block_rq_complete")
int BPF_PROG(io_ends, struct request *request, u8 error, unsigned int bytes)
{
	u64 key = (u64)request, issued_ns;
	struct io_end end = { .quantity = XP_IO_DEVICE_NS };

	/* A part of it is done.  Those that the queue's own flush was issued for end after it. */
	if (bytes < request->__data_len || io__is_own_flush(request))
		return 0;
	end.request = io__issued(request);
	if (end.request) {
		issued_ns = end.request->issued_ns;
	} else {
		key = (u64)request->bio;
		if (request->__data_len || !key)
			return 0;
		end.request = bpf_map_lookup_elem(&io_requests, &key);
		if (!end.request)
			return 0;
		issued_ns = io__flush_issued_ns(request, end.request);
	}
	end.value = bpf_ktime_get_ns() - issued_ns;
	if (is_active() && issued_ns)
		bpf_loop(IO_CALLS, io__count, &end, 0);
	else if (is_active())
		io__lose(end.request);
	bpf_map_delete_elem(&io_requests, &key);
	return 0;
}

#endif
