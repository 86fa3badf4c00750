// SPDX-License-Identifier: GPL-2.0
#include "client/asides.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "client/frames.h"
#include "client/postponed.h"
#include "client/replies.h"
#include "mechanism/mechanism.h"
#include "permission/permission.h"
#include "ways/trial.h"

/* More wait until one has ended: each may take as much memory as a lookup in a large file. */
#define MOST		4
/* The child has only to get a CPU to let go of what it does not need. */
#define BEGIN_MS	10000
/* Where the child writes, and it holds no other descriptor but standard error. */
#define CHILD_FD	3
#define READ_BYTES	(256U << 10)
/* Of the longest frame, with what stands before it. */
#define ANSWER_MOST	(FRAME_MAX_BYTES + sizeof(struct frame))
/* The largest files take a minute on a busy host; what is killed is told. */
#define ANSWER_NS	600000000000ULL

struct aside {
	struct asides *all;
	struct aside *next;
	Kview__Wire__ToAgent *request;
	size_t request_bytes;
	struct calibration *lent;	/* where it calibrates */
	pid_t child;			/* 0: its turn has not come */
	struct loop_source answer, patience;
	bool is_late;
	uint8_t *bytes;
	size_t length, capacity;
};

struct asides {
	struct loop *loop;
	struct wire *wire;
	struct calibration *calibration;
	struct postponed *postponed;
	struct aside *first;
	size_t nr, request_bytes;
};

static void start_next(struct asides *a);

static void start_waiting(void *context)
{
	struct asides *a = context;
	int i;

	for (i = 0; i < MOST; i++)
		start_next(a);
}

struct asides *asides__new(struct loop *loop, struct wire *wire, struct calibration *calibration, struct postponed *postponed)
{
	struct asides *a = calloc(1, sizeof(*a));

	if (!a)
		return NULL;
	*a = (struct asides){ .loop = loop, .wire = wire, .calibration = calibration, .postponed = postponed };
	loop__after_aside(loop, start_waiting, a);
	return a;
}

bool aside__measures(const Kview__Wire__ToAgent *request)
{
	return request->body_case == KVIEW__WIRE__TO_AGENT__BODY_CALIBRATE ||
	       request->body_case == KVIEW__WIRE__TO_AGENT__BODY_MEASURE_WAY;
}

static void aside__free(struct aside *one)
{
	struct aside **link = &one->all->first;

	while (*link && *link != one)
		link = &(*link)->next;
	if (*link)
		*link = one->next;
	one->all->nr--;
	postponed__answering(one->all->postponed, -1);
	one->all->request_bytes -= one->request_bytes;
	if (one->child > 0) {
		kill(one->child, SIGKILL);
		waitpid(one->child, NULL, 0);
	}
	loop__close(one->all->loop, &one->answer);
	loop__close(one->all->loop, &one->patience);
	if (one->lent)
		calibration__take_back(NULL, one->lent, false);
	if (aside__measures(one->request))
		postponed__measuring(one->all->postponed, false);
	kview__wire__to_agent__free_unpacked(one->request, NULL);
	free(one->bytes);
	free(one);
}

void asides__free(struct asides *a)
{
	if (a)
		loop__after_aside(a->loop, NULL, NULL);
	while (a && a->first)
		aside__free(a->first);
	free(a);
}

static void refuse(const struct asides *a, uint32_t request_id, enum error_code code, const char *why)
{
	struct error error = { 0 };

	error__set(&error, code, "%s", why);
	reply__refuse(a->wire, request_id, &error);
}

static void child__measure_way(struct wire *wire, uint32_t id, const Kview__Wire__MeasureWayRequest *request)
{
	Kview__Wire__MeasureWayReply reply = KVIEW__WIRE__MEASURE_WAY_REPLY__INIT;
	struct error error = { 0 };
	struct way_trial *trial = way_trial__run(request, &reply, &error);

	if (trial)
		wire__send(wire, id, KVIEW__WIRE__FROM_AGENT__BODY_MEASURE_WAY, &reply);
	else
		reply__error(wire, id, &error);
	way_trial__free(trial);
}

static void child__run(const struct aside *one, int fd, pid_t parent)
{
	struct wire *wire = one->all->wire;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	/* What it holds of the agent's keeps probes, views and connections that the agent closes. */
	if (dup2(fd, CHILD_FD) < 0 || syscall(SYS_close_range, CHILD_FD + 1, ~0u, 0) || close(STDIN_FILENO) || close(STDOUT_FILENO) ||
	    write(CHILD_FD, "", 1) != 1)
		_exit(1);
	wire__divert(wire, CHILD_FD);
	if (one->request->body_case == KVIEW__WIRE__TO_AGENT__BODY_MEASURE_WAY)
		child__measure_way(wire, one->request->request_id, one->request->measure_way);
	else
		reply__stateless(wire, one->request, one->lent ? one->lent : one->all->calibration);
	_exit(0);
}

/* How its child ended, which it has. */
static void aside__end(struct aside *one, int status)
{
	struct asides *a = one->all;

	one->child = 0;
	if (one->is_late)
		refuse(a, one->request->request_id, ERR_FAILED,
		       "The agent's child that was to answer was ended, as it took more than 10 minutes: ask for less, or when the host has more processors free.");
	else if (one->length > FRAME_MAX_BYTES)
		refuse(a, one->request->request_id, ERR_TOO_MANY,
		       "What was found takes more than the 16 MiB that an answer may have: ask for less, by a narrower pattern.");
	else if (!WIFEXITED(status) || WEXITSTATUS(status) || !wire__send_diverted(a->wire, one->bytes, one->length))
		refuse(a, one->request->request_id, ERR_FAILED, WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL ?
		       "The agent's child that was to answer was killed, as the kernel does where memory is short: ask for less, or when the host has more." :
		       "The agent's child that was to answer ended before it did: the host's kernel log or the agent's messages tell more.");
	else if (one->lent)
		calibration__take_back(a->calibration, one->lent, true), one->lent = NULL;
	aside__free(one);
	start_next(a);
}

static void aside__readable(void *context, uint32_t events)
{
	struct aside *one = context;
	uint8_t *grown;
	ssize_t got;
	int status = 1;

	if (one->capacity - one->length < READ_BYTES) {
		grown = realloc(one->bytes, one->length + 2 * READ_BYTES);
		if (grown) {
			one->bytes = grown;
			one->capacity = one->length + 2 * READ_BYTES;
		}
	}
	got = one->capacity == one->length ? 0 : read(one->answer.fd, one->bytes + one->length, one->capacity - one->length);
	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (got > 0) {
		one->length += got;
		if (one->length <= ANSWER_MOST)
			return;
	}
	/* Where there is no memory for its answer, or that is too long, it may still write. */
	loop__close(one->all->loop, &one->answer);
	if (got > 0)
		kill(one->child, SIGKILL);
	waitpid(one->child, &status, 0);
	aside__end(one, status);
}

static void aside__is_late(void *context, uint32_t events)
{
	struct aside *one = context;
	int status = 1;

	one->is_late = true;
	kill(one->child, SIGKILL);
	waitpid(one->child, &status, 0);
	aside__end(one, status);
}

/* Returns once the child holds nothing that the agent may want to close; false: it will not answer. */
static bool aside__start(struct aside *one)
{
	pid_t parent = getpid();
	struct pollfd begun;
	int fds[2];
	char byte;

	if (one->request->body_case == KVIEW__WIRE__TO_AGENT__BODY_CALIBRATE)
		one->lent = calibration__lend();
	if ((one->request->body_case == KVIEW__WIRE__TO_AGENT__BODY_CALIBRATE && !one->lent) || pipe2(fds, O_CLOEXEC))
		return false;
	one->child = fork();
	if (!one->child)
		child__run(one, fds[1], parent);
	close(fds[1]);
	one->answer = (struct loop_source){ fds[0], aside__readable, one, LOOP_IN_BETWEEN };
	begun = (struct pollfd){ .fd = fds[0], .events = POLLIN };
	return one->child > 0 && poll(&begun, 1, BEGIN_MS) == 1 && read(fds[0], &byte, 1) == 1 &&
	       !fcntl(fds[0], F_SETFL, O_NONBLOCK) && !loop__watch(one->all->loop, &one->answer, EPOLLIN) &&
	       !loop__tick(one->all->loop, &one->patience, ANSWER_NS, ANSWER_NS, aside__is_late, one);
}

static void start_next(struct asides *a)
{
	/* Who is limited in memory gets that of one. */
	int free = permission__memory() ? 1 : MOST;
	struct aside *one, *waiting = NULL;

	if (loop__has_aside())
		return;
	for (one = a->first; one; one = one->next) {
		if (one->child)
			free--;
		else
			waiting = one;		/* the last one is the oldest */
	}
	if (!waiting || free <= 0 || aside__start(waiting))
		return;
	refuse(a, waiting->request->request_id, ERR_FAILED, waiting->request->body_case == KVIEW__WIRE__TO_AGENT__BODY_MEASURE_WAY ?
	       "What ways of measuring cost was not measured: the agent could start no child for it, as the host has too many processes, or the agent too many files." :
	       "The agent could start no child that answers: the host has too many processes, or too little memory.");
	aside__free(waiting);
}

bool asides__serve(struct asides *a, const Kview__Wire__ToAgent *request)
{
	struct aside *one;
	size_t bytes;

	switch (request->body_case) {
	case KVIEW__WIRE__TO_AGENT__BODY_FIND_FUNCTIONS:
	case KVIEW__WIRE__TO_AGENT__BODY_FIND_POINTS:
	case KVIEW__WIRE__TO_AGENT__BODY_LIST_MAPPED_FILES:
	case KVIEW__WIRE__TO_AGENT__BODY_LIST_VIEWS:
	case KVIEW__WIRE__TO_AGENT__BODY_LIST_SITES:
	case KVIEW__WIRE__TO_AGENT__BODY_CALIBRATE:
	case KVIEW__WIRE__TO_AGENT__BODY_MEASURE_WAY:
		break;
	default:
		return false;
	}
	bytes = protobuf_c_message_get_packed_size(&request->base);
	if (a->nr == WAITING_MOST || bytes > WAITING_BYTES_MOST - a->request_bytes) {
		refuse(a, request->request_id, ERR_BUSY, "Too many requests wait for an answer that takes long: ask again when some are answered.");
		return true;
	}
	one = calloc(1, sizeof(*one));
	if (one)
		one->request = (Kview__Wire__ToAgent *)wire__copy(&request->base);
	if (!one || !one->request) {
		free(one);
		refuse(a, request->request_id, ERR_FAILED, "Out of memory.");
		return true;
	}
	one->all = a;
	one->request_bytes = bytes;
	a->request_bytes += bytes;
	a->nr++;
	postponed__answering(a->postponed, 1);
	one->answer.fd = one->patience.fd = -1;
	one->next = a->first;
	a->first = one;
	/* Others that do wait, so it is the only one. */
	if (aside__measures(request))
		postponed__measuring(a->postponed, true);
	start_next(a);
	return true;
}
