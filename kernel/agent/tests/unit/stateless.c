// SPDX-License-Identifier: GPL-2.0
/*
 * System calls that a filter answers are told as such, also where calls of other threads are lost as these have no state:
 * what those lost does not hide them.
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "check.h"
#include "child.h"
#include "mechanism/mechanisms.h"
#include "recording/losses.h"

enum { THREADS = 400, LATER = 3, ANSWERED = 5 };
/* Of the kernel's memory: enough for the system call, not for all threads. */
#define BYTES	(700ULL << 10)

static pthread_barrier_t all, later;

static void *call_once(void *unused)
{
	pthread_barrier_wait(&all);
	syscall(SYS_getppid);
	/* None ends before the last one has called: that would make room. */
	pthread_barrier_wait(&all);
	pthread_barrier_wait(&all);
	return NULL;
}

static void filter_own_calls(void)
{
	struct sock_filter program[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = { sizeof(program) / sizeof(*program), program };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter))
		_exit(1);
}

static void *call_later(void *unused)
{
	syscall(SYS_getppid);
	return NULL;
}

/* What began before the recording can't be told from what was lost; these can. */
static void *create_later(void *unused)
{
	pthread_t threads[LATER];
	int i;

	pthread_barrier_wait(&later);
	for (i = 0; i < LATER; i++) {
		pthread_create(&threads[i], NULL, call_later, NULL);
		pthread_join(threads[i], NULL);
	}
	return NULL;
}

/* All but some of its threads are there before the recording; one has state before the others call. */
static void steps(const struct own_child *child, int how)
{
	pthread_t thread;
	int i;

	pthread_barrier_init(&all, NULL, THREADS + 1);
	pthread_barrier_init(&later, NULL, 2);
	for (i = 0; i < THREADS; i++)
		pthread_create(&thread, NULL, call_once, NULL);
	child__wait(child);
	/* Begun before the filter is there, it and what it begins have none. */
	pthread_create(&thread, NULL, create_later, NULL);
	syscall(SYS_getppid);
	filter_own_calls();
	for (i = 0; i < ANSWERED; i++)
		syscall(SYS_getppid);
	pthread_barrier_wait(&all);
	pthread_barrier_wait(&all);
	pthread_barrier_wait(&later);
	pthread_join(thread, NULL);
}

static struct mechanisms *start(pid_t pid, struct error *error)
{
	Kview__Wire__StartRecordingRequest request = KVIEW__WIRE__START_RECORDING_REQUEST__INIT;
	Kview__Wire__SystemCall name = KVIEW__WIRE__SYSTEM_CALL__INIT;
	Kview__Wire__Probe probe = KVIEW__WIRE__PROBE__INIT, *list[] = { &probe };
	struct mechanism_load load = { .max_bytes = BYTES };
	struct mechanisms *mechanisms;

	name.name = "getppid";
	probe.point_case = KVIEW__WIRE__PROBE__POINT_SYSTEM_CALL;
	probe.system_call = &name;
	request.pid = pid;
	request.probes = list;
	request.n_probes = 1;
	mechanisms = mechanisms__find(&request, NULL, error);
	return mechanisms && !mechanisms__load(mechanisms, &load, error) && !mechanisms__attach(mechanisms, error) ?
	       mechanisms : NULL;
}

int main(void)
{
	Kview__Wire__Losses losses = KVIEW__WIRE__LOSSES__INIT;
	struct own_child child = child__start(steps, 0);
	struct error error = { 0 };
	struct mechanisms *mechanisms;

	child__go_on(&child);
	mechanisms = start(child.pid, &error);
	if (!mechanisms) {
		printf("not ok system calls are measured: %s\n", error.message);
		failed = 1;
		goto out;
	}
	child__go_on(&child);
	mechanisms__detach(mechanisms);
	losses__of_calls(&losses, mechanisms->points, mechanisms->nr, true);
	check(losses.untracked_threads > ANSWERED + LATER, "calls of threads without state are lost", losses.untracked_threads);
	check(losses.unmatched_returns == ANSWERED, "calls that a filter answered are all told beside them",
	      losses.unmatched_returns);
	check(!losses.unaccounted_calls, "and calls add up", losses.unaccounted_calls);
	mechanisms__free(mechanisms);
out:
	child__end(&child);
	return failed;
}
