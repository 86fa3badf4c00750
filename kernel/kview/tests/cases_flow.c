// SPDX-License-Identifier: GPL-2.0
/* Views of one receive queue: packets of one flow, and none of another. */
#define _GNU_SOURCE
#include <linux/capability.h>
#include <net/if.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "harness.h"
#include "net.h"

#define N 500

static struct kview_attachment *attach_flow(struct kview_view *v, const struct flow *f)
{
	struct kview_attachment *att = kview_view__attach_napi(v, f->napi_id);

	CHECK(att);
	return att;
}

static uint32_t in_view(struct kview_attachment *att)
{
	struct kview_attach_stat st;

	CHECK_OK(kview_attachment__stat(att, &st));
	return st.processes;
}

static void wait_thread_ended(struct kview_attachment *att)
{
	int i;

	for (i = 0; i < PATIENCE && in_view(att); i++)
		usleep(10000);
	CHECK_EQ(in_view(att), 0);
}

/* Counters and programs count A's packets, not B's; then each flow has a view. */
static void flow_exact(void)
{
	struct kview_view *v = view(), *w = view();
	struct kview_set *s = functions(v, "ip_local_deliver", "udp_rcv", NULL);
	struct kview_set *t = functions(w, "udp_rcv", NULL);
	struct kview_attachment *att, *other;
	int map = bpf_map();
	struct kview_stat before, after;
	struct flow a, b;

	net_make();
	flows_find(&a, &b);
	CHECK_OK(kview_set__add_prog(s, bpf_prog_count(PROG_KPROBE, map, 0), 0, NULL));
	before = stat_now();
	att = attach_flow(v, &a);
	CHECK_EQ(in_view(att), 1);
	flow_both(&a, &b, N);
	flow_both(&b, &b, 50);		/* as many of each would not tell which flow it is */
	CHECK_EQ(hits(s, 0), N);
	CHECK_EQ(hits(s, 1), N);
	CHECK_EQ(bpf_map_get(map), 2 * N);
	other = attach_flow(w, &b);
	flow_both(&a, &b, N - 100);
	flow_both(&a, &a, 50);
	CHECK_EQ(hits(s, 1), 2 * N);
	CHECK_EQ(hits(t, 0), N - 100);
	/* nobody ran on a page table that a thread left behind */
	after = stat_now();
	CHECK_EQ(after.rejected_kthread - before.rejected_kthread, 0);
	kview_attachment__free(att);
	kview_attachment__free(other);
	flow_both(&a, &b, 100);
	CHECK_EQ(hits(s, 1), 2 * N);
	CHECK_EQ(hits(t, 0), N - 100);
	figure("%d of %d packets, 0 of the other flow's %d; then both, in two views", N, N,
	       N + 100);
}

/* A queue is numbered as its NAPI instance is. */
static void flow_queues(void)
{
	struct kview_view *v = view();
	struct kview_set *s = functions(v, "udp_rcv", NULL);
	struct kview_attachment *att;
	struct flow a, b;

	net_make();
	flows_find(&a, &b);
	att = kview_view__attach_queue(v, NET_DEVICE, 0);
	CHECK(att);
	flow_both(&a, &b, 100);
	flow_both(&a, &a, 10);
	CHECK_EQ(hits(s, 0), 120);
	kview_attachment__free(att);
	att = kview_view__attach_queue(v, NET_DEVICE, 1);
	CHECK(att);
	flow_both(&a, &b, 100);
	flow_both(&b, &b, 10);
	CHECK_EQ(hits(s, 0), 240);
	figure("120 of 120 packets of either queue");
}

static pid_t attach_and_hang(const struct flow *f)
{
	int ready[2];
	pid_t pid;
	char c;

	CHECK(!pipe(ready));
	pid = fork();
	if (!pid) {
		struct kview *k = kview__open();
		struct kview_view *v = kview_view__new(k);

		functions(v, "udp_rcv", NULL);
		attach_flow(v, f);
		CHECK(write(ready[1], "", 1) == 1);
		pause();
	}
	close(ready[1]);
	CHECK(read(ready[0], &c, 1) == 1);
	close(ready[0]);
	return pid;
}

/* Every way in which a thread and its view part. */
static void flow_life(void)
{
	struct kview_view *v = view();
	struct kview_set *s = functions(v, "udp_rcv", NULL), *t;
	struct kview_attachment *att;
	struct kview_view *w;
	bool thread_ends = kernel_since(7, 0);	/* when it is out of use */
	struct flow a, b;
	pid_t pid;
	int i;

	net_make();
	flows_find(&a, &b);

	/* the client is killed */
	pid = attach_and_hang(&a);
	CHECK(!kview_view__attach_napi(v, a.napi_id) && errno == EBUSY);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	for (i = 0; i < PATIENCE && stat_now().views > 1; i++)
		usleep(10000);
	att = attach_flow(v, &a);
	flow_both(&a, &b, 50);
	CHECK_EQ(hits(s, 0), 50);
	kview_attachment__free(att);

	/* the view is closed first */
	w = view();
	t = functions(w, "udp_rcv", NULL);
	att = attach_flow(w, &a);
	flow_one(&a);
	CHECK_EQ(hits(t, 0), 1);
	kview_view__free(w);
	CHECK_EQ(in_view(att), 0);
	flow_one(&a);
	CHECK_EQ(hits(t, 0), 1);
	kview_set__free(t);
	kview_attachment__free(att);

	/* under traffic */
	pid = fork();
	if (!pid)
		for (;;)
			flow_both(&a, &b, 20);
	for (i = 0; i < 20; i++) {
		att = attach_flow(v, &a);
		usleep(5000);
		kview_attachment__free(att);
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	flow_close(&a);
	flow_close(&b);
	flows_find(&a, &b);

	/* no use is made of the thread, and then again */
	att = attach_flow(v, &a);
	net_threaded(false);
	i = hits(s, 0);
	flow_both(&a, &b, 50);
	CHECK_EQ(hits(s, 0), i);
	CHECK_EQ(in_view(att), !thread_ends);
	CHECK(!kview_view__attach_napi(v, b.napi_id) && errno == EOPNOTSUPP);
	net_threaded(true);
	if (thread_ends) {
		kview_attachment__free(att);
		att = attach_flow(v, &a);
	}
	flow_both(&a, &b, 50);
	CHECK_EQ(hits(s, 0), i + 50);

	/* the thread ends: no NAPI any more */
	net_gro(false);
	wait_thread_ended(att);
	flow_both(&a, &b, 50);
	CHECK_EQ(hits(s, 0), i + 50);
	kview_attachment__free(att);

	/* the network namespace goes, and the device with it */
	net_gro(true);
	flow_close(&a);
	flow_close(&b);
	flows_find(&a, &b);
	att = attach_flow(v, &a);
	flow_both(&a, &b, 50);
	CHECK_EQ(hits(s, 0), i + 100);
	flow_close(&a);
	flow_close(&b);
	net_drop();
	wait_thread_ended(att);
	for (i = 0; i < PATIENCE && net_exists(); i++)
		usleep(10000);
	CHECK(!net_exists());
	kview_attachment__free(att);
	figure("killed, view closed, under traffic, threaded off and on, NAPI gone, namespace gone");
}

static int try_attach(struct kview_view *v, int ifindex, uint32_t queue, uint32_t napi,
		      uint32_t flags)
{
	struct kview_attach_flow arg = {
		.ifindex = ifindex, .queue = queue, .napi_id = napi, .flags = flags,
	};
	int fd = ioctl(kview_view__fd(v), KVIEW_ATTACH_FLOW, &arg);

	if (fd >= 0)
		close(fd);
	return fd < 0 ? errno : 0;
}

static int without_capability(struct kview_view *v, int ifindex, int cap)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2];
	int status;
	pid_t pid;

	pid = fork();
	if (!pid) {
		CHECK(!syscall(SYS_capget, &head, data));
		data[cap / 32].effective &= ~(1U << cap % 32);
		CHECK(!syscall(SYS_capset, &head, data));
		_exit(try_attach(v, ifindex, 0, 0, 0));
	}
	CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void flow_bad(void)
{
	struct kview_view *v = view(), *w = view();
	struct kview_view_stat before, after;
	struct kview_attachment *att;
	int dev, lo;

	net_make();
	dev = if_nametoindex(NET_DEVICE);
	lo = if_nametoindex("lo");
	CHECK_OK(kview_view__stat(v, &before));
	CHECK_EQ(try_attach(v, 0, 0, 0, 0), EINVAL);
	CHECK_EQ(try_attach(v, dev, 0, 1, 0), EINVAL);
	CHECK_EQ(try_attach(v, 0, 1, 1, 0), EINVAL);
	CHECK_EQ(try_attach(v, dev, 0, 0, 1), EINVAL);
	CHECK(ioctl(kview_view__fd(v), KVIEW_ATTACH_FLOW, NULL) < 0 && errno == EFAULT);
	CHECK_EQ(try_attach(v, 4711, 0, 0, 0), ENXIO);
	CHECK_EQ(try_attach(v, -1, 0, 0, 0), ENXIO);
	CHECK_EQ(try_attach(v, lo, 0, 0, 0), ENXIO);
	CHECK_EQ(try_attach(v, dev, NET_QUEUES, 0, 0), ENXIO);
	CHECK_EQ(try_attach(v, 0, 0, 1, 0), ENXIO);
	CHECK(!kview_view__attach_queue(v, "no-such-device", 0) && errno == ENXIO);
	net_threaded(false);
	CHECK_EQ(try_attach(v, dev, 0, 0, 0), EOPNOTSUPP);
	net_threaded(true);
	CHECK_EQ(without_capability(v, dev, CAP_NET_ADMIN), EPERM);
	CHECK_EQ(without_capability(v, dev, CAP_NET_RAW), 0);
	CHECK_OK(kview_view__stat(v, &after));
	CHECK_EQ(after.processes, before.processes);
	att = kview_view__attach_queue(v, NET_DEVICE, 0);
	CHECK(att);
	CHECK_EQ(try_attach(v, dev, 0, 0, 0), EBUSY);
	CHECK_EQ(try_attach(v, dev, 1, 0, 0), 0);
	/* what a flow takes was put into that view, and is out again */
	CHECK_OK(kview_view__stat(w, &before));
	CHECK_EQ(try_attach(w, dev, 0, 0, 0), EBUSY);
	CHECK_OK(kview_view__stat(w, &after));
	CHECK(before.sets == after.sets && before.text_pages == after.text_pages);
	figure("15 refused");
}

const struct test_case cases_flow[] = {
	{ "flow-exact", flow_exact, PLAIN, 0, "packets of one flow, none of another; two flows, two views" },
	{ "flow-queues", flow_queues, ONCE, 0, "a queue by its number" },
	{ "flow-life", flow_life, ONCE, 0, "threads, devices, views and clients end in every order" },
	{ "flow-bad", flow_bad, ONCE, 0, "no device, queue or thread, no right, attached twice" },
	{ 0 },
};
