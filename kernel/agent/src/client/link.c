// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/error.h"
#include "client/link.h"
#include "client/rendezvous.h"
#include "client/replies.h"

#define NS_PER_MS	1000000ULL
#define TICK_NS		(250 * NS_PER_MS)
#define MAX_GRACE_MS	3600000U

struct link {
	struct link_opts opts;
	struct wire *wire;
	struct rendezvous *rendezvous;	/* once a recording may outlive its client */
	struct loop_source tick, signals;
	uint64_t timeout_ns;		/* after so much silence the link is lost; 0: never */
	uint64_t grace_ns;
	uint64_t lost_ns;		/* since when there is no client, or 0 */
	bool offered, recording, leaving;
	bool asked;			/* for what may be half done when a rejoin comes */
};

static void link__signalled(void *context, uint32_t events)
{
	struct link *link = context;
	int signal = signals__read(link->signals.fd);

	/* SIGHUP comes at the end of the login, which is one way of losing the link. */
	if (!signal || (signal == SIGHUP && link__is_kept(link)))
		return;
	log__line("ended by signal %d", signal);
	link->opts.over(link->opts.context, 128 + signal);
}

struct link *link__new(const struct link_opts *opts)
{
	struct link *link = calloc(1, sizeof(*link));

	if (!link)
		return NULL;
	link->opts = *opts;
	link->tick.fd = -1;
	link->signals = (struct loop_source){ signals__new(), link__signalled, link, 0 };
	if (link->signals.fd >= 0 && !loop__watch(opts->loop, &link->signals, EPOLLIN))
		return link;
	link__free(link, 1);
	return NULL;
}

void link__use(struct link *link, struct wire *wire)
{
	link->wire = wire;
}

void link__free(struct link *link, int exit_code)
{
	if (!link)
		return;
	loop__close(link->opts.loop, &link->tick);
	loop__close(link->opts.loop, &link->signals);
	rendezvous__free(link->rendezvous, exit_code);
	free(link);
}

bool link__is_kept(const struct link *link)
{
	return link->rendezvous && !link->leaving && !wire__is_broken(link->wire) &&
	       (link->recording || wire__is_owed(link->wire));
}

bool link__is_offered(const struct link *link)
{
	return link->offered;
}

/* A client is not silent if its bytes wait to be read: the agent itself may have been busy. */
static bool link__is_silent(const struct link *link)
{
	struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };

	return link->timeout_ns && !link->lost_ns &&
	       clock__now_ns() - wire__heard_ns(link->wire) > link->timeout_ns &&
	       poll(&in, 1, 0) == 0;
}

static void link__ticked(void *context, uint32_t events)
{
	struct link *link = context;

	timer__expired(link->tick.fd);
	if (link__is_silent(link)) {
		wire__detach(link->wire);
		link__lost(link, "the client is silent");
	}
	if (link->lost_ns && clock__now_ns() - link->lost_ns > link->grace_ns) {
		log__line("no client came back within the grace time");
		link->opts.over(link->opts.context, 1);
	}
}

static int link__start_ticking(struct link *link)
{
	if (link->tick.fd >= 0)
		return 0;
	return loop__tick(link->opts.loop, &link->tick, TICK_NS, TICK_NS, link__ticked, link);
}

void link__offer(struct link *link, const Kview__Wire__HelloRequest *hello)
{
	if (!hello->link_window_bytes || link->offered)
		return;
	link->offered = true;
	link->timeout_ns = hello->link_timeout_ms * NS_PER_MS;
	wire__begin_link(link->wire, hello->link_window_bytes);
	if (link->timeout_ns && link__start_ticking(link))
		log__line("no timer could be had: a silent client is waited for without end");
}

/* Replaces descriptors 0 to 2; the wire that used them must be detached. */
static int use_descriptors(const int fds[3])
{
	int i;

	for (i = 0; i < 3; i++)
		if (dup2(fds[i], i) < 0)
			return -1;
	return 0;
}

/* Closes the connection, so that the other end notices. */
static void drop_descriptors(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (null < 0)
		return;
	if (use_descriptors((int[3]){ null, null, null }))
		log__line("the lost client's descriptors stay open");
	close(null);
}

void link__lost(struct link *link, const char *reason)
{
	if (!link__is_kept(link)) {
		if (reason)
			log__line("the connection ends: %s", reason);
		return link->opts.over(link->opts.context, reason ? 1 : 0);
	}
	if (link->lost_ns)
		return;
	log__line("the link is lost%s%s: recording goes on for %llu s", reason ? ", " : "",
		  reason ? reason : "", (unsigned long long)(link->grace_ns / 1000000000ULL));
	link->lost_ns = clock__now_ns();
	drop_descriptors();
	/*
	 * A signal that ends the login's other processes must not end this one.  setsid() fails
	 * for a group's leader, which needs no protection.
	 */
	setsid();
}

static bool link__rejoined(void *context, const struct rejoin *rejoin, const int fds[3])
{
	Kview__Wire__RejoinReply reply = KVIEW__WIRE__REJOIN_REPLY__INIT;
	struct link *link = context;

	if (!link__is_kept(link) || !wire__keeps(link->wire, rejoin->sequence))
		return false;
	wire__detach(link->wire);
	link->timeout_ns = rejoin->link_timeout_ms * NS_PER_MS;
	link->lost_ns = clock__now_ns();
	if (use_descriptors(fds) || wire__attach(link->wire, rejoin->sequence)) {
		drop_descriptors();
		return false;
	}
	link->lost_ns = 0;
	wire__send(link->wire, rejoin->request_id, KVIEW__WIRE__FROM_AGENT__BODY_REJOIN, &reply);
	return true;
}

const uint8_t *link__keep(struct link *link, uint32_t grace_ms, struct error *error)
{
	if (!link->offered) {
		error__set(error, ERR_BAD_REQUEST,
			   "A grace time needs a client that acknowledges what it gets.");
		return NULL;
	}
	link->grace_ns = (grace_ms < MAX_GRACE_MS ? grace_ms : MAX_GRACE_MS) * NS_PER_MS;
	if (link__start_ticking(link)) {
		error__set(error, ERR_FAILED, "No timer could be had.");
		return NULL;
	}
	if (!link->rendezvous)
		link->rendezvous = rendezvous__new(link->opts.loop, link__rejoined, link, error);
	if (!link->rendezvous)
		return NULL;
	link->recording = true;
	return rendezvous__token(link->rendezvous);
}

void link__let_go(struct link *link)
{
	link->recording = false;
}

static void link__pong(struct link *link, const Kview__Wire__Ping *ping)
{
	Kview__Wire__Pong pong = KVIEW__WIRE__PONG__INIT;

	pong.id = ping->id;
	pong.monotonic_ns = clock__now_ns();
	pong.realtime_ns = pong.monotonic_ns + clock__realtime_offset_ns();
	wire__send(link->wire, 0, KVIEW__WIRE__FROM_AGENT__BODY_PONG, &pong);
}

/*
 * Hands this connection to the agent that records, and then only keeps its place until that agent
 * ends.  Without such an agent, refuses and ends.
 */
static void link__join(struct link *link, uint32_t request_id,
		       const Kview__Wire__RejoinRequest *request)
{
	const struct rejoin rejoin = { request->sequence, request->link_timeout_ms, request_id };
	struct error error = { 0 };
	int fd;

	if (link->offered || link->asked) {
		error__set(&error, ERR_BAD_REQUEST, "A rejoin must be the first message.");
	} else {
		wire__detach(link->wire);
		fd = rendezvous__join(request->token.data, request->token.len, &rejoin, &error);
		if (fd >= 0)
			return link->opts.over(link->opts.context, rendezvous__keep_place(fd));
	}
	reply__error(link->wire, request_id, &error);
	error__free(&error);
	link->opts.over(link->opts.context, 1);
}

bool link__take(struct link *link, const Kview__Wire__ToAgent *request)
{
	switch (request->body_case) {
	case KVIEW__WIRE__TO_AGENT__BODY_PING:
		link__pong(link, request->ping);
		return true;
	case KVIEW__WIRE__TO_AGENT__BODY_ACKNOWLEDGE:
		wire__acknowledge(link->wire, request->acknowledge);
		return true;
	case KVIEW__WIRE__TO_AGENT__BODY_GOODBYE:
		link->leaving = true;
		return true;
	case KVIEW__WIRE__TO_AGENT__BODY_REJOIN:
		link__join(link, request->request_id, request->rejoin);
		return true;
	default:
		link->asked |= request->body_case != KVIEW__WIRE__TO_AGENT__BODY_HELLO;
		return false;
	}
}
