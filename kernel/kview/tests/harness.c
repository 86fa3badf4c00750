// SPDX-License-Identifier: GPL-2.0
/* The module, the kernel's files, and shorthand over libkview. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/klog.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>

#include "harness.h"

#define MODULE "/guest/kview.ko"

int module_try_load(const char *params)
{
	int fd = open(MODULE, O_RDONLY | O_CLOEXEC);
	int ret;

	CHECK(fd >= 0);
	ret = syscall(SYS_finit_module, fd, params, 0) ? -errno : 0;
	close(fd);
	return ret;
}

/* On 7.2, too, which the module refuses otherwise. */
void module_load(const char *params)
{
	char all[128];

	snprintf(all, sizeof(all), "unsafe_poke_sleeps=1 %s", params);
	CHECK_OK(module_try_load(all));
}

void module_unload(void)
{
	int i, ret = -1;

	/* the last fd's release, or a worker's exit, may still be under way */
	for (i = 0; i < PATIENCE; i++) {
		ret = syscall(SYS_delete_module, "kview", O_NONBLOCK);
		if (!ret || errno != EAGAIN)
			break;
		usleep(10000);
	}
	CHECK(ret == 0);
}

void module_param_set(const char *name, const char *value)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/module/kview/parameters/%s", name);
	write_file(path, value);
}

static int param(const char *name)
{
	char path[128];
	int value = -1;
	FILE *f;

	snprintf(path, sizeof(path), "/sys/module/kview/parameters/%s", name);
	f = fopen(path, "r");
	CHECK(f && fscanf(f, "%d", &value) == 1);
	fclose(f);
	return value;
}

void fail_at(int nth)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", nth);
	module_param_set("fail_nth", text);
}

bool fail_over(void)
{
	int left = param("fail_nth");

	module_param_set("fail_nth", "0");
	return left <= 0;
}

static void *held_step(void *arg)
{
	((struct held *)arg)->step();
	return NULL;
}

static void held_at(struct held *h, const char *where, void (*step)(void))
{
	int before = param("held");

	h->step = step;
	module_param_set("hold", where);
	CHECK(!pthread_create(&h->thread, NULL, held_step, h));
	while (param("held") == before)
		usleep(1000);
}

void held_begin(struct held *h, void (*step)(void))
{
	held_at(h, "1", step);
}

void held_begin_named(struct held *h, void (*step)(void))
{
	held_at(h, "2", step);
}

void held_begin_joining(struct held *h, void (*step)(void))
{
	held_at(h, "3", step);
}

void held_begin_drafted(struct held *h, void (*step)(void))
{
	held_at(h, "4", step);
}

void held_end(struct held *h)
{
	module_param_set("hold", "0");
	pthread_join(h->thread, NULL);
}

int try_write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_TRUNC), ret = 0;

	if (fd < 0)
		return -errno;
	if (*text && write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		ret = -errno;
	close(fd);
	return ret;
}

void write_file(const char *path, const char *text)
{
	int ret = try_write_file(path, text);

	if (ret)
		fail(path, 0, "writing '%s': %s", text, strerror(-ret));
}

void tracer_start(const char *const *function, size_t n)
{
	char line[128];
	size_t i;

	write_file(TRACING "set_ftrace_filter", function[0]);
	for (i = 1; i < n; i++) {
		snprintf(line, sizeof(line), "echo %s >> " TRACING "set_ftrace_filter", function[i]);
		CHECK(!system(line));
	}
	write_file(TRACING "tracing_on", "1");
	write_file(TRACING "current_tracer", "function");
	write_file(TRACING "trace", "");
}

void tracer_off(void)
{
	write_file(TRACING "current_tracer", "nop");
	write_file(TRACING "set_ftrace_filter", "");
}

uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

bool debug_kernel(void)
{
	struct utsname u;

	return !uname(&u) && strstr(u.release, "-debug");
}

int count_lines(const char *path, const char *a, const char *b, const char *c)
{
	FILE *f = fopen(path, "r");
	char line[1024];
	int n = 0;

	CHECK(f);
	while (fgets(line, sizeof(line), f))
		if ((!a || strstr(line, a)) && (!b || strstr(line, b)) && (!c || strstr(line, c)))
			n++;
	fclose(f);
	return n;
}

bool kernel_log_has(const char *text)
{
	static char log[1 << 20];
	int n = klogctl(3 /* SYSLOG_ACTION_READ_ALL */, log, sizeof(log) - 1);

	CHECK(n > 0);
	log[n] = 0;
	return strstr(log, text);
}

static struct kview *k;

struct kview *dev(void)
{
	if (!k)
		k = kview__open();
	CHECK(k);
	return k;
}

struct kview_view *view(void)
{
	struct kview_view *v = kview_view__new(dev());

	CHECK(v);
	return v;
}

struct kview_set *functions(struct kview_view *v, const char *first, ...)
{
	const char *names[64] = { first };
	struct kview_set_opts opts = { 0 };
	struct kview_set *s;
	size_t n = 1;
	va_list ap;

	va_start(ap, first);
	while ((names[n] = va_arg(ap, const char *)))
		n++;
	va_end(ap);
	s = kview_view__add_functions(v, names, n, &opts);
	if (!s)
		fail(__FILE__, __LINE__, "add_functions %s...: %s, bad is %d", first,
		     strerror(errno), (int)opts.bad);
	return s;
}

struct kview_set *tracepoint(struct kview_view *v, const char *name)
{
	struct kview_set *s = kview_view__add_tracepoints(v, &name, 1, NULL);

	if (!s)
		fail(__FILE__, __LINE__, "add_tracepoints %s: %s", name, strerror(errno));
	return s;
}

struct kview_attachment *attach(struct kview_view *v, pid_t pid, uint32_t flags)
{
	struct kview_attachment *a = kview_view__attach(v, pid, flags);

	CHECK(a);
	return a;
}

uint64_t hits(struct kview_set *s, size_t site)
{
	uint64_t n;

	CHECK_OK(kview_set__hits(s, site, 1, -1, &n));
	return n;
}

struct kview_stat stat_now(void)
{
	struct kview_stat st;

	CHECK_OK(kview__stat(dev(), &st));
	return st;
}

void wait_nothing_left(void)
{
	struct kview_stat st;
	int i;

	for (i = 0; i < PATIENCE; i++) {
		st = stat_now();
		if (!st.views && !st.processes && !st.spots && !st.text_copies)
			break;
		usleep(10000);
	}
	CHECK_EQ(st.processes, 0);
	CHECK_EQ(st.views, 0);
	CHECK_EQ(st.spots, 0);
	CHECK_EQ(st.text_copies, 0);
	kview__free(k);
	k = NULL;
}

void check_nothing_left(void)
{
	/* what a case has not closed itself is closed as if it were killed */
	close_range(3, ~0U, 0);
	k = NULL;
	wait_nothing_left();
}

void pin_to(pid_t pid, int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	CHECK(!sched_setaffinity(pid, sizeof(set), &set));
}

bool kernel_since(int major, int minor)
{
	struct utsname u;
	int a, b;

	CHECK(!uname(&u) && sscanf(u.release, "%d.%d", &a, &b) == 2);
	return a > major || (a == major && b >= minor);
}
