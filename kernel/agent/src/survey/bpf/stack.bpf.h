/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Copies of stacks.  Programs are mostly built without frame pointers, so a stack can't be walked here:
 * the agent unwinds a copy of it by the files' own tables.
 */
#ifndef KVIEW_SURVEY_STACK_BPF_H
#define KVIEW_SURVEY_STACK_BPF_H

/* A stack's end that is farther away than that is another stack's. */
#define FAR_BYTES	(64U << 20)

static __always_inline u64 nearer(u64 sp, u64 end, u64 than)
{
	return end > sp && end - sp < than - sp ? end : than;
}

#if defined(__TARGET_ARCH_x86)

/*
 * The first thread's stack ends where the kernel put the arguments; of others the C libraries put
 * what the thread's register points at onto the end of its stack.
 */
static __always_inline u64 stack__end(struct task_struct *task, u64 sp)
{
	u64 end = sp + FAR_BYTES, own;

	own = nearer(sp, BPF_CORE_READ(task, mm, start_stack), end);
	own = nearer(sp, BPF_CORE_READ(task, thread.fsbase), own);
	return own == end ? sp + SURVEY_STACK_BYTES : own;
}

#else

/* The agent refuses surveys there. */
static __always_inline u64 stack__end(struct task_struct *task, u64 sp)
{
	return sp;
}

#endif

/*
 * Page by page, so that one that is not in memory costs no more than what is behind it.  It begins below the stack
 * pointer, with what a function may use there (the ABI's red zone): some hand-written code has there where its caller's
 * frame is.  COPY(to, bytes, from) is 0 where it succeeded.
 */
#define stack__copy(s, task, COPY) do {						\
	u64 sp_ = (s)->registers[SURVEY_SP], end_ = stack__end(task, sp_);	\
	u64 from_ = sp_ - SURVEY_RED_ZONE;					\
	u32 done_ = 0, part_, i_;						\
										\
	(s)->is_cut = end_ - from_ > SURVEY_STACK_BYTES;			\
	if ((s)->is_cut)							\
		end_ = from_ + SURVEY_STACK_BYTES;				\
	for (i_ = 0; i_ <= SURVEY_STACK_BYTES / SURVEY_PAGE + 1; i_++) {	\
		u64 left_ = end_ - from_ - done_;				\
										\
		part_ = SURVEY_PAGE - ((from_ + done_) & (SURVEY_PAGE - 1));	\
		if (part_ > left_)						\
			part_ = left_;						\
		if (!part_ || done_ >= SURVEY_STACK_BYTES)			\
			break;							\
		part_ = BOUND(part_ - 1, SURVEY_PAGE - 1) + 1;			\
		if (!COPY((s)->bytes + BOUND(done_, SURVEY_STACK_BYTES - 1), part_, (void *)(from_ + done_))) { \
			done_ += part_;						\
			continue;						\
		}								\
		if (from_ == sp_ || done_) {					\
			(s)->is_cut = 1;					\
			break;							\
		}								\
		/* The page below the stack pointer's was never used. */	\
		from_ = sp_;							\
	}									\
	(s)->stack_at = from_;							\
	(s)->nr_bytes = done_;							\
} while (0)

#endif
