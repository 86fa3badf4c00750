/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the test cases share.  A case is a function in its own process: it returns
 * when all is well, having set its figure, and ends by CHECK() when it is not.
 */
#ifndef KVIEW_TEST_HARNESS_H
#define KVIEW_TEST_HARNESS_H

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "libkview.h"
#include "symbols.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* How often to look for what must come, with 10 ms between: on a busy host it takes its time. */
enum { PATIENCE = 6000 };

/* Until it is so, with @us between two looks: where it does not come in five minutes, on whatever host, the case fails. */
#define AWAIT(cond, us) \
	do { \
		uint64_t until_ = now_ns() + 300000000000ULL; \
		while (!(cond)) { \
			if (now_ns() > until_) \
				fail(__FILE__, __LINE__, "did not come in 300 s: %s", #cond); \
			if (us) \
				usleep(us); \
		} \
	} while (0)

/* What a case needs of the guest; the runner boots one guest for each kind. */
enum kind {
	PLAIN,			/* any number of CPUs */
	ONCE,			/* likewise; tries the module's own code: the newest kernel is enough, day by day */
	RARE,			/* likewise; day by day another case is enough */
	COST,			/* one CPU, time counts instructions */
	ALONE,			/* leaves the kernel in a state for nothing else */
	ONCE_ALONE,		/* likewise, and as ONCE */
	ONCE_LONGEST,		/* as ONCE, in a guest of its own, which ends with the others so */
	LONG,			/* only when named */
	BENCH,			/* as COST, only when named */
	TLB,			/* one emulated CPU whose TLB is modelled: Bochs */
};

#define LOAD_NOT	(1U << 0)	/* the case loads the module itself */
#define DMESG_EXPECTED	(1U << 1)	/* a warning in the kernel log is the point */
#define DMESG_SILENT	(1U << 2)	/* not a line may be in it */
#define DMESG_ALLOC	(1U << 3)	/* who runs out of memory may say so, with a trace */

struct test_case {
	const char *name;
	void (*run)(void);
	enum kind kind;
	unsigned int flags;
	const char *what;
};

extern const struct test_case cases_basic[], cases_life[], cases_bad[], cases_fail[], cases_come[],
	cases_poke[], cases_bulk[], cases_cost[], cases_trace[], cases_hard[], cases_stress[],
	cases_cgroup[], cases_event[], cases_filter[], cases_return[],
	cases_flow[], cases_flow_cost[], cases_ctl[], cases_race[], cases_text[], cases_quiet[],
	cases_wait[], cases_instant[], cases_contract[], cases_items[], cases_latency[],
	cases_module[], cases_livepatch[], cases_joint[],
	cases_joint_ends[], cases_production[], cases_vfork[], cases_order[], cases_rest[];

/*
 * How often a case repeats what goes wrong one time in many: @often in the long form (run --long, check-long), else
 * @seldom, which is enough for what goes wrong each time.
 */
int repeats(int seldom, int often);

/* The figure of the result line; several calls add up. */
void figure(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* A further result line of its own. */
void result(bool ok, const char *name, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void fail(const char *file, int line, const char *fmt, ...)
	__attribute__((noreturn, format(printf, 3, 4)));

#define CHECK(cond) \
	do { if (!(cond)) fail(__FILE__, __LINE__, "%s (%s)", #cond, strerror(errno)); } while (0)
#define CHECK_EQ(a, b) \
	do { \
		long long a_ = (a), b_ = (b); \
		if (a_ != b_) \
			fail(__FILE__, __LINE__, "%s is %lld, not %lld", #a, a_, b_); \
	} while (0)
#define CHECK_OK(call) \
	do { \
		int r_ = (call); \
		if (r_) \
			fail(__FILE__, __LINE__, "%s: %s", #call, strerror(-r_)); \
	} while (0)

/* ---- module, kernel ---- */
void module_load(const char *params);
int module_try_load(const char *params);
void module_unload(void);
void module_param_set(const char *name, const char *value);
void fail_at(int nth);			/* the module's @nth allocation from now on fails */
bool fail_over(void);			/* none fails any more; was there one with that number? */
void write_file(const char *path, const char *text);
int try_write_file(const char *path, const char *text);
/* Something that comes to an instant, and waits just before it; it has kview_lock there. */
struct held {
	pthread_t thread;
	void (*step)(void);
};
void held_begin(struct held *h, void (*step)(void));
/* The same, of a set by names: it waits when they have been found, without a lock. */
void held_begin_named(struct held *h, void (*step)(void));
/* The same, of a cgroup to attach: it waits before its first process joins.  Once in a module's life. */
void held_begin_joining(struct held *h, void (*step)(void));
/* The same, of a set that has a copy of 2 MiB made: it waits when that is filled, and is not known to anybody yet. */
void held_begin_drafted(struct held *h, void (*step)(void));
void held_end(struct held *h);
uint64_t now_ns(void);
void pin_to(pid_t pid, int cpu);	/* 0: whoever calls */
bool kernel_since(int major, int minor);
bool debug_kernel(void);		/* with checks that make it many times slower */
bool kernel_log_has(const char *text);
/* Lines in a file that contain all of up to three strings (NULL: none). */
int count_lines(const char *path, const char *a, const char *b, const char *c);

#define TRACING "/sys/kernel/tracing/"

/* The function tracer, of these functions alone; its trace is empty. */
void tracer_start(const char *const *function, size_t n);
#define tracer_on(...) \
	tracer_start((const char *const[]){ __VA_ARGS__ }, ARRAY_SIZE(((const char *const[]){ __VA_ARGS__ })))
void tracer_off(void);

/* ---- memory that is lost, by a kernel that looks for it ---- */
void leaks_forget(void);
bool leaks_found(void);		/* prints a result, if the kernel looks */

/* Addresses of all functions in the kernel image that ftrace can hook. */
uint32_t all_functions(const uint64_t **addrs);

/* ---- workers: processes that do as told, without a system call that is hooked ---- */
struct worker {
	pid_t pid;
	struct order *order;
};

enum op {
	OP_READ = 1,		/* n one-byte reads of /dev/zero */
	OP_READ_MIGRATE,	/* the same, changing CPUs */
	OP_READ_THREADS,	/* n reads by each of four threads */
	OP_FORK_READ,		/* a child does them */
	OP_FORKS,		/* n children, one after the other, that do nothing */
	OP_EXEC_READ,		/* execve, then the reads */
	OP_VFORK_EXEC_READ,	/* a child by vfork and execve does them */
	OP_LSEEK,		/* n calls of lseek */
	OP_CALL_32,		/* n calls of a 32-bit program's number 3, read */
	OP_WRITE_FILES,		/* toggle the function tracer, n times */
	OP_FORK_SIGNAL_READ,	/* each of 20 children, which have a signal when they start */
	OP_THREAD_EXEC_READ,	/* OP_EXEC_READ, with a thread that its starter must wait for */
	OP_EXECS,		/* n times execve */
	OP_QUIT,
};

struct worker worker_start(void);
pid_t fork_into(int cgroup_fd);		/* as fork(), but into a cgroup unless that is -1 */
struct worker worker_start_in(int cgroup_fd);	/* created in the cgroup, by clone3 */
void worker_begin(struct worker *w, enum op op, long n);
void worker_wait(struct worker *w);	/* for the end of what was begun */
void worker_sleeps(const struct worker *w);	/* returns once it waits for its next order, in futex_wait() */
bool worker_idle(const struct worker *w);
long worker_done(const struct worker *w);	/* of OP_EXECS */
void worker_do(struct worker *w, enum op op, long n);
void worker_quit(struct worker *w);
void worker_main(int order_fd, long n);	/* after execve */
void worker_execs(int order_fd);		/* the same, of several */
void reads(long n);

/* ---- eBPF ---- */
enum { PROG_KPROBE = 2, PROG_TRACEPOINT = 5, PROG_RAW_TRACEPOINT = 17 };
int bpf_map(void);
uint64_t bpf_map_get(int map);
enum { BPF_PAGE = 4096 };
void bpf_read_kernel(unsigned long addr, void *to);
int bpf_prog_empty(int type);
int bpf_prog_count(int type, int map, int only_pid);
int bpf_prog_count_syscall(int map, int nr);
int bpf_prog_sum_cookies(int map);
int bpf_prog_sum_func_ip(int map);
int bpf_prog_sum_stack(int type, int map, int i);
int bpf_prog_read_kernel(void);
int bpf_prog_sum_reg(int map, int ctx_off);
int bpf_prog_sum_arg(int map, int ctx_off);
int bpf_prog_sum_record(int map, int off);	/* 4 bytes of a trace event's */
int bpf_prog_stack(int map);			/* a trace event's; counts stacks */
int bpf_prog_sum_flag(int map);		/* calls by threads whose system calls are traced */
int bpf_prog_slow(void);		/* for a second, under emulation */
int bpf_prog_sleepable(void);
int bpf_prog_kprobe_multi(void);
int bpf_prog_override(void);
int bpf_kprobe_attach(const char *func, int prog);
int bpf_kprobe_try(const char *func, int prog);
int bpf_kprobe_try_at(const char *func, unsigned int off, int prog);
int bpf_event_attach(const char *event, int prog);	/* SYSTEM/EVENT */
int bpf_raw_tracepoint_attach(const char *name, int prog);
int bpf_kprobe_multi_attach(const uint64_t *addrs, uint32_t n, int prog);

/* ---- shorthand over libkview: these CHECK ---- */
struct kview *dev(void);
struct kview_view *view(void);
struct kview_set *functions(struct kview_view *v, const char *first, ...)
	__attribute__((sentinel));
struct kview_set *tracepoint(struct kview_view *v, const char *name);
struct kview_attachment *attach(struct kview_view *v, pid_t pid, uint32_t flags);
uint64_t hits(struct kview_set *s, size_t site);
struct kview_stat stat_now(void);
/* Waits until exited processes have left; then nothing may be left over. */
void wait_nothing_left(void);
/* The same, having closed whatever is open. */
void check_nothing_left(void);

#endif /* KVIEW_TEST_HARNESS_H */
