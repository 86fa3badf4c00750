// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/ethtool.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <linux/sockios.h>
#include <linux/veth.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "harness.h"
#include "net.h"

#define PEER		"kv1"

static int home_ns = -1, peer_ns = -1;

static void enter(int ns)
{
	CHECK(!setns(ns, CLONE_NEWNET));
}

static int peer_socket(int type)
{
	int fd;

	enter(peer_ns);
	fd = socket(AF_INET, type | SOCK_CLOEXEC, 0);
	enter(home_ns);
	CHECK(fd >= 0);
	return fd;
}

/* A kernel for which the overlay has no module has it built in. */
static void load_veth(void)
{
	int fd = open("/guest/modules/veth.ko", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	CHECK(!syscall(SYS_finit_module, fd, "", 0) || errno == EEXIST);
	close(fd);
}

struct request {
	struct nlmsghdr head;
	struct ifinfomsg info;
	char attrs[512];
};

static struct rtattr *attr(struct request *r, int type, const void *data, size_t size)
{
	struct rtattr *a = (void *)((char *)r + NLMSG_ALIGN(r->head.nlmsg_len));

	a->rta_type = type;
	a->rta_len = RTA_LENGTH(size);
	if (data)
		memcpy(RTA_DATA(a), data, size);
	r->head.nlmsg_len = NLMSG_ALIGN(r->head.nlmsg_len) + RTA_ALIGN(a->rta_len);
	return a;
}

static void attr_end(struct request *r, struct rtattr *a)
{
	a->rta_len = (char *)r + r->head.nlmsg_len - (char *)a;
}

static void attr_device(struct request *r, const char *name)
{
	uint32_t queues = NET_QUEUES;

	attr(r, IFLA_IFNAME, name, strlen(name) + 1);
	attr(r, IFLA_NUM_TX_QUEUES, &queues, sizeof(queues));
	attr(r, IFLA_NUM_RX_QUEUES, &queues, sizeof(queues));
}

static void make_veth(void)
{
	struct request r = {
		.head = {
			.nlmsg_len = NLMSG_LENGTH(sizeof(struct ifinfomsg)),
			.nlmsg_type = RTM_NEWLINK,
			.nlmsg_flags = NLM_F_REQUEST | NLM_F_CREATE | NLM_F_EXCL | NLM_F_ACK,
		},
	};
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
	struct rtattr *link, *data, *peer;
	struct ifinfomsg info = { 0 };
	struct {
		struct nlmsghdr head;
		struct nlmsgerr err;
		char more[1024];
	} answer = { 0 };

	attr_device(&r, NET_DEVICE);
	link = attr(&r, IFLA_LINKINFO, NULL, 0);
	attr(&r, IFLA_INFO_KIND, "veth", 4);
	data = attr(&r, IFLA_INFO_DATA, NULL, 0);
	peer = attr(&r, VETH_INFO_PEER, &info, sizeof(info));
	attr_device(&r, PEER);
	attr(&r, IFLA_NET_NS_FD, &peer_ns, sizeof(peer_ns));
	attr_end(&r, peer);
	attr_end(&r, data);
	attr_end(&r, link);
	CHECK(fd >= 0 && send(fd, &r, r.head.nlmsg_len, 0) > 0);
	CHECK(recv(fd, &answer, sizeof(answer), 0) > 0);
	CHECK_EQ(answer.head.nlmsg_type, NLMSG_ERROR);
	CHECK_OK(answer.err.error);
	close(fd);
}

static struct ifreq request_of(const char *name)
{
	struct ifreq r = { 0 };

	strcpy(r.ifr_name, name);
	return r;
}

static void address(int fd, const char *name, const char *ip)
{
	struct ifreq r = request_of(name);
	struct sockaddr_in *sin = (void *)&r.ifr_addr;

	sin->sin_family = AF_INET;
	sin->sin_addr.s_addr = inet_addr(ip);
	CHECK(!ioctl(fd, SIOCSIFADDR, &r));
	CHECK(!ioctl(fd, SIOCGIFFLAGS, &r));
	r.ifr_flags |= IFF_UP | IFF_RUNNING;
	CHECK(!ioctl(fd, SIOCSIFFLAGS, &r));
}

static void feature(int fd, const char *name, uint32_t cmd, bool on)
{
	struct ethtool_value value = { .cmd = cmd, .data = on };
	struct ifreq r = request_of(name);

	r.ifr_data = (void *)&value;
	CHECK(!ioctl(fd, SIOCETHTOOL, &r));
}

void net_gro(bool on)
{
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	feature(fd, NET_DEVICE, ETHTOOL_SGRO, on);
	close(fd);
}

void net_threaded(bool on)
{
	write_file("/sys/class/net/" NET_DEVICE "/threaded", on ? "1" : "0");
}

bool net_exists(void)
{
	return if_nametoindex(NET_DEVICE);
}

void net_make(void)
{
	int here, there, i;

	load_veth();
	/* the last case's may still be going */
	for (i = 0; i < PATIENCE && net_exists(); i++)
		usleep(10000);
	home_ns = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	CHECK(home_ns >= 0 && !unshare(CLONE_NEWNET));
	peer_ns = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	CHECK(peer_ns >= 0);
	enter(home_ns);
	make_veth();
	here = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	there = peer_socket(SOCK_DGRAM);
	address(here, NET_DEVICE, "10.9.0.1");
	address(there, PEER, "10.9.0.2");
	/* veth polls only what may be aggregated, which a sender that segments has done */
	feature(there, PEER, ETHTOOL_STSO, false);
	close(here);
	close(there);
	net_gro(true);
	net_threaded(true);
}

void net_drop(void)
{
	close(peer_ns);
	peer_ns = -1;
}

static void flow_open(struct flow *f, int port)
{
	struct sockaddr_in to = {
		.sin_family = AF_INET,
		.sin_port = htons(port),
		.sin_addr.s_addr = inet_addr("10.9.0.1"),
	};
	struct timeval patience = { .tv_sec = 20 };
	socklen_t size = sizeof(f->napi_id);

	f->to = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	f->from = peer_socket(SOCK_DGRAM);
	CHECK(!setsockopt(f->to, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)));
	CHECK(!bind(f->to, (void *)&to, sizeof(to)));
	CHECK(!connect(f->from, (void *)&to, sizeof(to)));
	flow_one(f);
	CHECK(!getsockopt(f->to, SOL_SOCKET, SO_INCOMING_NAPI_ID, &f->napi_id, &size));
	CHECK(f->napi_id);
}

void flow_close(struct flow *f)
{
	close(f->from);
	close(f->to);
}

/* The sender's hash of a flow chooses the queue. */
void flows_find(struct flow *a, struct flow *b)
{
	/* never one twice: what an earlier flow's sender had under way would mark the socket */
	static int port = 7000;
	struct flow swap;
	int end = port + 100;

	flow_open(a, port++);
	flow_open(b, port++);
	while (b->napi_id == a->napi_id) {
		CHECK(port < end);
		flow_close(b);
		flow_open(b, port++);
	}
	if (a->napi_id > b->napi_id) {
		swap = *a;
		*a = *b;
		*b = swap;
	}
}

static void flow_send(const struct flow *f)
{
	CHECK(send(f->from, "x", 1, 0) == 1);
}

static void flow_receive(const struct flow *f)
{
	char c;

	CHECK(recv(f->to, &c, 1, 0) == 1);
}

void flow_one(const struct flow *f)
{
	flow_send(f);
	flow_receive(f);
}

void flow_both(const struct flow *a, const struct flow *b, int n)
{
	enum { BATCH = 20 };
	int i, m;

	for (; n > 0; n -= m) {
		m = n < BATCH ? n : BATCH;
		for (i = 0; i < m; i++) {
			flow_send(a);
			flow_send(b);
		}
		for (i = 0; i < m; i++) {
			flow_receive(a);
			flow_receive(b);
		}
	}
}
