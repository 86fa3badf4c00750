// SPDX-License-Identifier: GPL-2.0
#include "flow/flow.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/loop.h"
#include "flow/flow_state.h"
#include "flow/under_way.h"
#include "mechanism/kview_module.h"
#include "mechanism/system_calls.h"
#include "permission/permission.h"

#define DEFAULT_MS	5000
#define MAX_MS		600000
#define DEFAULT_SLOWEST	5
/* Start times are told in steps of 10 ms, from two clocks. */
#define START_TIME_ERROR_NS 20000000ULL

static int check_request(const Kview__Wire__FlowRequest *request, struct error *error)
{
	if (!request->pid)
		return error__set(error, ERR_BAD_REQUEST, "The flow names no process.");
	if (!*request->system_call)
		return error__set(error, ERR_BAD_REQUEST, "The flow names no system call.");
	if (request->duration_ms > MAX_MS)
		return error__set(error, ERR_TOO_MANY, "Calls can be followed for %d s at most: choose less.", MAX_MS / 1000);
	if (request->slowest > FLOW_MOST_KEPT)
		return error__set(error, ERR_TOO_MANY, "At most %d calls can be kept: choose fewer.", FLOW_MOST_KEPT);
	return syscall__number(request->system_call) < 0 ? system_calls__unknown(request->system_call, error) : 0;
}

static int check_process(struct call_flow *f, const Kview__Wire__FlowRequest *request, struct error *error)
{
	f->process = syscall(SYS_pidfd_open, request->pid, 0);
	if (f->process < 0 && errno != ESRCH)
		return error__set(error, ERR_BAD_REQUEST, "%d is a thread: name its process.", (int)request->pid);
	if (f->process < 0 || ps_process__read(&f->started_as, request->pid))
		return error__set(error, ERR_NO_SUCH_PROCESS, "There is no process %d.", (int)request->pid);
	if (f->started_as.kernel_thread)
		return error__set(error, ERR_NOT_PROBEABLE,
				  "Process %d (%.100s) is a kernel thread: it makes no system calls.", f->pid,
				  f->started_as.name);
	if (request->start_time_ns && f->started_as.start_time_ns > request->start_time_ns + START_TIME_ERROR_NS)
		return error__set(error, ERR_NO_SUCH_PROCESS,
				  "The process that was chosen has ended, and its number %d is now that of %.100s: choose again.",
				  f->pid, f->started_as.name);
	return 0;
}

static int find_root(struct call_flow *f, const char *system_call, struct error *error)
{
	if (flow_functions__read(&f->functions, error))
		return -1;
	flow_root__symbol(system_call, f->root, sizeof(f->root));
	f->root_function = flow_functions__find_root(&f->functions, f->root);
	if (f->root_function == FLOW_NO_FUNCTION)
		return error__set(error, ERR_NOT_PROBEABLE,
				  "This kernel has no function %.100s that can be hooked, by which processes make the system call %.100s: choose another system call.",
				  f->root, system_call);
	return 0;
}

/* All is made before the process enters: then its calls are followed at once. */
static int attach(struct call_flow *f, const char *system_call, size_t slowest, struct error *error)
{
	size_t threads = f->started_as.threads;
	uint64_t begin;

	if (flow_calls__load(&f->calls, f->pid, slowest, threads, f->root_function, error))
		return -1;
	begin = clock__now_ns();
	if (flow_view__make(&f->view, f->module, &f->functions, f->root_function, threads, error) ||
	    process_view__try(&f->view.base, NULL, f->pid, f->process, error) ||
	    flow_view__run(&f->view, f->calls.skel, error) ||
	    process_view__enter(&f->view.base, f->pid, f->process, error))
		return -1;
	f->begin_ns = clock__now_ns();
	f->attach_ns = f->begin_ns - begin;
	flow_calls__switch(&f->calls, true);
	f->under_way = calls_under_way__count(&f->calls, f->pid, syscall__number(system_call));
	f->hooked = f->view.hooked;
	f->returns = f->view.returns;
	f->memory_bytes = flow_view__memory(&f->view) + flow_calls__memory(&f->calls);
	return 0;
}

struct call_flow *call_flow__start(const Kview__Wire__FlowRequest *request, struct error *error)
{
	unsigned int duration_ms = request->duration_ms ? request->duration_ms : DEFAULT_MS;
	struct call_flow *f;
	char why[512];

	if (check_request(request, error) || permission__kernel_functions(error))
		return NULL;
	f = calloc(1, sizeof(*f));
	if (!f) {
		error__set(error, ERR_FAILED, "Out of memory.");
		return NULL;
	}
	f->process = -1;
	f->pid = request->pid;
	if (check_process(f, request, error))
		goto failed;
	f->module = kview_module__open(why, sizeof(why));
	if (!f->module) {
		error__set(error, ERR_UNSUPPORTED, "%.400s", why);
		goto failed;
	}
	if (system_calls__check_process(f->pid, error) || find_root(f, request->system_call, error))
		goto failed;
	f->realtime_offset_ns = clock__realtime_offset_ns();
	if (attach(f, request->system_call, request->slowest ? request->slowest : DEFAULT_SLOWEST, error))
		goto failed;
	f->until_ns = f->begin_ns + duration_ms * 1000000ULL;
	call_flow__look(f);
	return f;
failed:
	call_flow__free(f);
	return NULL;
}

void call_flow__free(struct call_flow *f)
{
	if (!f)
		return;
	flow_view__close(&f->view);
	flow_calls__free(&f->calls);
	flow_answer__free(&f->answer);
	flow_functions__free(&f->functions);
	kview__free(f->module);
	ps_process__free(&f->started_as);
	if (f->process >= 0)
		close(f->process);
	free(f);
}

/* They may come and go: so it is looked again and again. */
void call_flow__look(struct call_flow *f)
{
	struct kview_item other;
	enum view_others others;

	if (f->others == VIEW_OTHERS_SEEN)
		return;
	others = process_view__others(&f->view.base, f->module, f->pid, &other);
	if (others <= f->others)
		return;
	f->others = others;
	f->other_pid = other.owner_pid;
	snprintf(f->other_name, sizeof(f->other_name), "%.16s", other.owner_comm);
}

static bool process__has_ended(const struct call_flow *f)
{
	struct pollfd process = { .fd = f->process, .events = POLLIN };

	return poll(&process, 1, 0) == 1;
}

bool call_flow__is_over(const struct call_flow *f)
{
	return clock__now_ns() >= f->until_ns || process__has_ended(f) || process_view__was_left(&f->view.base);
}

void call_flow__end(struct call_flow *f, const char *note)
{
	uint64_t begin;

	f->note = note;
	if (!note && process__has_ended(f))
		f->note = "The process ended before the time was over.";
	call_flow__look(f);
	flow_calls__switch(&f->calls, false);
	f->end_ns = clock__now_ns();
	f->was_left = process_view__was_left(&f->view.base);
	if (!f->note && f->was_left)
		f->note = "After an execve the process could not come back into its view of the kernel, for want of memory or as others had changed that text.";
	flow_view__losses(&f->view, &f->losses);
	begin = clock__now_ns();
	flow_view__close(&f->view);
	f->detach_ns = clock__now_ns() - begin;
	flow_calls__count(&f->calls, &f->counts);
}
