// SPDX-License-Identifier: GPL-2.0
/* Links of an xprobe that go while it goes on, or as it ends. */
#include "base/error.h"
#include "base/loop.h"
#include "mechanism/trap/xprobe_state.h"

/* The kernel is done within some 100 ms, where nothing is in its way. */
#define LATE_NS	1000000000ULL
/* The kernel gives up waiting for the end of a call 100 ms after its thread last had a return address replaced. */
#define REST_NS	200000000ULL

void xprobe__wait_closed(struct xprobe *xprobe)
{
	links__wait_closed(xprobe->closing[0]);
	links__wait_closed(xprobe->closing[1]);
	xprobe->closing[0] = xprobe->closing[1] = NULL;
}

void xprobe__close(struct xprobe *xprobe, struct links *const *sets, size_t nr)
{
	struct links_closing *oldest = xprobe->closing[0];

	/* Before it is waited for any: those that are still there may be what the others wait for. */
	xprobe->closing[0] = xprobe->closing[1];
	xprobe->closing[1] = links__start_closing(sets, nr);
	xprobe->closing_ns = clock__now_ns();
	xprobe->has_rested = false;
	links__wait_closed(oldest);
}

static void xprobe__set_rest(struct xprobe *xprobe, bool rests)
{
	__atomic_store_n(&xprobe->skel->bss->returns_rest, rests, __ATOMIC_SEQ_CST);
}

/*
 * A thread that stays in a call with a replaced return address, and enters others more often than every 100 ms, may keep the kernel
 * from closing a link: see returns.bpf.h.
 */
static void xprobe__rest_returns(struct xprobe *xprobe)
{
	uint64_t now_ns = clock__now_ns();

	if (xprobe->rest_ns && now_ns - xprobe->rest_ns >= REST_NS) {
		xprobe__set_rest(xprobe, false);
		xprobe->rest_ns = 0;
	} else if (!xprobe->has_rested && now_ns - xprobe->closing_ns >= LATE_NS) {
		log__line("the kernel does not get done with probes that came off, as calls go on: for 0.2 s no return addresses are replaced");
		xprobe->has_rested = true;
		xprobe->rest_ns = now_ns;
		xprobe__set_rest(xprobe, true);
	}
}

bool xprobe__is_closing(struct xprobe *xprobe)
{
	bool first = links__are_closed(xprobe->closing[0]);
	bool is_closing = !links__are_closed(xprobe->closing[1]) || !first;

	if (xprobe->rest_ns || (is_closing && xprobe->links_kind == LINKS_WHOLE))
		xprobe__rest_returns(xprobe);
	return is_closing;
}
