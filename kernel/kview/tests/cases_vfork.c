// SPDX-License-Identifier: GPL-2.0
/* A process, or its child by vfork, which shares its memory until the execve, is attached before that is over. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "harness.h"

enum { CHILD_READS = 50 };

/* What a process and its child by vfork, which shares its memory, tell. */
struct vforker {
	volatile int go, seeking, done;
	volatile pid_t child;
};

static void *seeks_for_ever(void *vforker)
{
	struct vforker *f = vforker;

	for (;;) {
		f->seeking = 1;
		lseek(0, 0, SEEK_CUR);
	}
	return NULL;
}

/* The child's execve has to wait for another thread of its own, which is in a slow hook, most likely. */
static pid_t vforker_start(struct vforker *f)
{
	pid_t pid = fork();
	pthread_t t;
	int status;

	CHECK(pid >= 0);
	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (!f->go)
		usleep(1000);
	pid = vfork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (pthread_create(&t, NULL, seeks_for_ever, f))
			_exit(3);
		while (!f->seeking)
			;
		usleep(50000);
		f->child = getpid();
		execl("/proc/self/exe", "kview-test", "--reads", "50", NULL);
		_exit(4);
	}
	CHECK(waitpid(pid, &status, 0) == pid && !status);
	_exit(0);
}

/* In pages; 0: it has ended. */
static long memory_of(pid_t pid)
{
	char path[32];
	FILE *statm;
	long n = 0;

	snprintf(path, sizeof(path), "/proc/%d/statm", pid);
	statm = fopen(path, "re");
	if (!statm || fscanf(statm, "%ld", &n) != 1)
		n = 0;
	if (statm)
		fclose(statm);
	return n;
}

/*
 * Attaches a process whose child by vfork is past the place where the view would have seen its execve,
 * and in the shared memory still.  False: it came too late.
 */
static bool attached_in_vfork(struct kview_view *v, uint32_t flags, int begun)
{
	struct vforker *f = mmap(NULL, sizeof(*f), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int slow = bpf_kprobe_attach("__x64_sys_lseek", bpf_prog_slow()), status;
	uint64_t before = bpf_map_get(begun);
	struct kview_attachment *att;
	pid_t parent;
	bool early;

	CHECK(f != MAP_FAILED);
	parent = vforker_start(f);
	f->go = 1;
	AWAIT(bpf_map_get(begun) != before, 0);
	att = attach(v, parent, flags);
	/* the same memory: what it executes has no other thread's stack */
	early = memory_of(f->child) == memory_of(parent);
	close(slow);
	CHECK(waitpid(parent, &status, 0) == parent && !status);
	kview_attachment__free(att);
	munmap(f, sizeof(*f));
	return early;
}

static void attach_vfork_exec(void)
{
	enum { BOTH = KVIEW_ATTACH_FORK | KVIEW_ATTACH_EXEC };
	static const uint32_t flags[] = { BOTH, KVIEW_ATTACH_EXEC };
	int map = bpf_map(), seen = bpf_map(), flagged = bpf_map(), fds[3], tries = 0;
	struct kview_view *v = view();
	struct kview_set *s = functions(v, "vfs_read", NULL);
	struct kview_set *t = tracepoint(v, "sys_enter");
	size_t i;

	if (sysconf(_SC_NPROCESSORS_ONLN) < 2) {
		figure("takes two CPUs");
		return;
	}
	fds[0] = bpf_kprobe_attach("begin_new_exec", bpf_prog_count(PROG_KPROBE, map, 0));
	fds[1] = bpf_kprobe_attach("ksys_read", bpf_prog_sum_flag(flagged));
	fds[2] = bpf_kprobe_attach("ksys_read", bpf_prog_count(PROG_KPROBE, seen, 0));
	for (i = 0; i < ARRAY_SIZE(flags); tries++) {
		uint64_t n = hits(s, 0), reads = bpf_map_get(seen), slow = bpf_map_get(flagged);

		CHECK(tries < 30);
		if (!attached_in_vfork(v, flags[i], map))
			continue;
		n = hits(s, 0) - n;
		slow = bpf_map_get(flagged) - slow;
		CHECK(bpf_map_get(seen) - reads >= CHILD_READS);
		if (flags[i] == BOTH ? n < CHILD_READS : n >= CHILD_READS || slow >= CHILD_READS)
			fail(__FILE__, __LINE__, "flags %u: %d hits, %d of %d reads take the slow way",
			     flags[i], (int)n, (int)slow, CHILD_READS);
		i++;
	}
	for (i = 0; i < ARRAY_SIZE(fds); i++)
		close(fds[i]);
	kview_set__free(t);
	kview_set__free(s);
	kview_view__free(v);
	figure("in the middle of a child's execve by vfork, %zu of %d times: it stays, or is rid of the view",
	       ARRAY_SIZE(flags), tries);
}

/* Executes a program when it is told so; its parent, when that has ended, reads twice when it is told so. */
static pid_t vfork_parent(struct vforker *f)
{
	pid_t pid = fork();
	int status, i;

	CHECK(pid >= 0);
	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	pid = vfork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		f->child = getpid();
		while (!f->go)
			usleep(1000);
		execl("/proc/self/exe", "kview-test", "--reads", "50", NULL);
		_exit(4);
	}
	CHECK(waitpid(pid, &status, 0) == pid && !status);
	for (i = 1; i <= 2; i++) {
		f->done = i;
		while (f->go <= i)
			usleep(1000);
		reads(CHILD_READS);
	}
	_exit(0);
}

static void vforker_goes_on(struct vforker *f, int done)
{
	f->go++;
	AWAIT(f->done >= done, 1000);
}

/* The child alone is asked for: its parent is in with it, and out when the attachment is closed. */
static void attach_vfork_child(void)
{
	struct vforker *f = mmap(NULL, sizeof(*f), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct kview_view *v = view();
	struct kview_set *s = functions(v, "vfs_read", NULL);
	struct kview_attachment *att;
	uint64_t child, both;
	pid_t parent;
	int status;

	CHECK(f != MAP_FAILED);
	parent = vfork_parent(f);
	AWAIT(f->child, 1000);
	att = attach(v, f->child, KVIEW_ATTACH_EXEC);
	vforker_goes_on(f, 1);
	child = hits(s, 0);
	CHECK(child >= CHILD_READS);
	vforker_goes_on(f, 2);
	both = hits(s, 0);
	CHECK_EQ(both - child, CHILD_READS);
	kview_attachment__free(att);
	f->go++;
	CHECK(waitpid(parent, &status, 0) == parent && !status);
	CHECK_EQ(hits(s, 0), both);
	munmap(f, sizeof(*f));
	kview_set__free(s);
	kview_view__free(v);
	figure("the child stays after its execve, its parent is counted too, %d of %d, until it is detached",
	       (int)(both - child), CHILD_READS);
}

const struct test_case cases_vfork[] = {
	{ "attach-vfork-child", attach_vfork_child, ONCE, 0,
	  "a child by vfork is attached before its execve: its parent is in the view as well, until that is closed" },
	{ "attach-vfork-exec", attach_vfork_exec, ONCE, 0,
	  "attached during the execve of a child by vfork: the child stays, or pays nothing any more" },
	{ 0 },
};
