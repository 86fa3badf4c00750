// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <linux/types.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/libbpf.h>

#include "permission/permission.h"
#include "ways/bpf/post.h"
#include "ways/post.h"

#include "post.skel.h"

/* Who tells may be faster than who reads: then something else has to have its turn. */
#define MOST_AT_ONCE	100000
/* The ring's pages, and what the kernel keeps beside them. */
#define TAKES_BYTES	(5ULL << 20)

struct post {
	struct post_bpf *skel;
	struct ring_buffer *ring;
	struct post_counts counts;
	uint32_t pid;
	int number;
};

static int call__take(void *context, void *data, size_t size)
{
	const struct post_call *call = data;
	struct post *post = context;

	post->counts.told++;
	if (call->tgid == post->pid && call->side == POST_ENTRY && call->value == post->number)
		post->counts.seen++;
	return 0;
}

struct post *post__load(pid_t pid, int number, struct error *error)
{
	uint64_t most = permission__memory();
	struct post *post;

	if (permission__system_calls(error))
		return NULL;
	if (most && most < TAKES_BYTES) {
		error__set(error, ERR_TOO_MANY, "Of this host's memory you may not have as much as all system calls of all processes take.");
		return NULL;
	}
	post = calloc(1, sizeof(*post));
	if (!post) {
		error__set(error, ERR_FAILED, "Out of memory.");
		return NULL;
	}
	post->pid = pid;
	post->number = number;
	post->skel = post_bpf__open_and_load();
	if (post->skel)
		post->ring = ring_buffer__new(bpf_map__fd(post->skel->maps.calls), call__take, post, NULL);
	if (post->ring)
		return post;
	error__set(error, errno == EPERM || errno == EACCES ? ERR_NO_PERMISSION : ERR_UNSUPPORTED,
		   "The kernel refused the eBPF programs that tell of all system calls: %s.", strerror(errno));
	post__free(post);
	return NULL;
}

int post__attach(struct post *post, struct error *error)
{
	if (!post_bpf__attach(post->skel))
		return 0;
	error__set(error, ERR_UNSUPPORTED, "The kernel refused an eBPF program on a tracepoint of system calls: %s.", strerror(errno));
	post_bpf__detach(post->skel);
	return -1;
}

void post__collect(struct post *post)
{
	if (post)
		ring_buffer__consume_n(post->ring, MOST_AT_ONCE);
}

void post__detach(struct post *post)
{
	if (!post)
		return;
	post_bpf__detach(post->skel);
	while (ring_buffer__consume_n(post->ring, MOST_AT_ONCE) > 0)
		;
	post->counts.not_told = post->skel->bss->not_told;
}

struct post_counts post__counts(const struct post *post)
{
	return post->counts;
}

void post__free(struct post *post)
{
	if (!post)
		return;
	ring_buffer__free(post->ring);
	post_bpf__destroy(post->skel);
	free(post);
}
