/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A network of two: kv0, here, whose two queues are polled by threads, and its peer in
 * a network namespace of its own, which sends.
 */
#ifndef KVIEW_TEST_NET_H
#define KVIEW_TEST_NET_H

#include <stdbool.h>
#include <stdint.h>

#define NET_DEVICE	"kv0"
#define NET_QUEUES	2

/* A flow of datagrams: one socket at each end. */
struct flow {
	int from, to;
	uint32_t napi_id;	/* which thread receives it */
};

void net_make(void);
/* No file of the peer's is open any more: it goes, and kv0 with it. */
void net_drop(void);
bool net_exists(void);
void net_gro(bool on);		/* with it come NAPI and its threads, and go */
void net_threaded(bool on);

/* Two flows by different queues; the first by the one whose id is lower. */
void flows_find(struct flow *a, struct flow *b);
void flow_close(struct flow *f);
/* The datagram is with the socket when this returns. */
void flow_one(const struct flow *f);
/* n datagrams of each, so that the threads run one right after the other. */
void flow_both(const struct flow *a, const struct flow *b, int n);

#endif /* KVIEW_TEST_NET_H */
