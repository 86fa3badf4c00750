// SPDX-License-Identifier: GPL-2.0
#include "recording/wait_files.h"

#include <arpa/inet.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <bpf/bpf.h>

#include "lookup/names.h"
#include "mechanism/bpf/waits.h"

/* A power of two, and at most half of it is used. */
#define SLOTS		(4 * XP_WAIT_FILES)
#define UNREACHABLE	"(unreachable)"		/* as getcwd has it */
#define NAME_BYTES	(2 * XP_PATH_BYTES + sizeof(UNREACHABLE) + 8)
#define ADDRESS_BYTES	(XP_UNIX_BYTES + 8)

struct slot {
	struct wait_file file;
	uint64_t number;
	uint64_t round;		/* in which it was read */
	bool is_read;
	char name[NAME_BYTES], local[ADDRESS_BYTES], peer[ADDRESS_BYTES];
};

struct wait_files {
	pid_t pid;
	uint64_t round;
	struct slot **slots;	/* [SLOTS]; NULL: free */
	size_t nr;
};

struct wait_files *wait_files__new(pid_t pid)
{
	struct wait_files *files = calloc(1, sizeof(*files));

	if (!files)
		return NULL;
	files->pid = pid;
	files->slots = calloc(SLOTS, sizeof(*files->slots));
	if (files->slots)
		return files;
	free(files);
	return NULL;
}

void wait_files__free(struct wait_files *files)
{
	size_t i;

	if (!files)
		return;
	for (i = 0; i < SLOTS; i++)
		free(files->slots[i]);
	free(files->slots);
	free(files);
}

void wait_files__begin(struct wait_files *files)
{
	files->round++;
}

/* Names are the traced process's, any bytes: what is no text becomes "?".  Behind it is a 0, where a character that is cut ends. */
static void make_printable(char *text, size_t length)
{
	size_t i = 0, bytes;

	while (i < length) {
		bytes = name__character_bytes(text + i);
		if (!bytes)
			text[i] = '?';
		i += bytes ? bytes : 1;
	}
}

static void copy_name(char *to, const char *from, size_t most)
{
	size_t length = strnlen(from, most);

	memcpy(to, from, length);
	to[length] = '\0';
	make_printable(to, length);
}

/* Its parts stand the other way round. */
static void path__join(char *to, const struct xp_wait_file *from)
{
	const char *parts[XP_PATH_BYTES + 1], *at = from->names, *end = from->names + sizeof(from->names);
	char *begin = to;
	size_t nr = 0, i;

	while (nr < from->parts && at < end) {
		parts[nr++] = at;
		at += strnlen(at, end - at) + 1;
	}
	to += sprintf(to, "%s%s", from->is_unreachable ? UNREACHABLE : "", from->is_cut ? "..." : nr ? "" : "/");
	while (nr) {
		*to++ = '/';
		nr--;
		for (i = 0; parts[nr] + i < end && parts[nr][i]; i++)
			*to++ = parts[nr][i];
	}
	*to = '\0';
	make_printable(begin, to - begin);
}

static void inet__write(char *to, const struct xp_wait_file *from, const uint8_t *address, uint16_t port)
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };
	char text[INET6_ADDRSTRLEN];

	/* IPv4 through a socket of IPv6. */
	if (from->family == AF_INET6 && !memcmp(address, mapped, sizeof(mapped)))
		inet_ntop(AF_INET, address + sizeof(mapped), text, sizeof(text));
	else
		inet_ntop(from->family, address, text, sizeof(text));
	snprintf(to, ADDRESS_BYTES, strchr(text, ':') ? "[%s]:%u" : "%s:%u", text, port);
}

static void unix__write(char *to, const char *from, size_t length)
{
	if (length >= XP_UNIX_BYTES)
		length = XP_UNIX_BYTES - 1;
	/* One of a file may have an end that is no part of it; one that is no file's begins with 0. */
	if (length && from[0])
		length = strnlen(from, length);
	memcpy(to, from, length);
	to[length] = '\0';
	if (length && !from[0])
		to[0] = '@';
	make_printable(to, length);
}

static Kview__Wire__OpenFile__FileKind path__kind(uint16_t mode)
{
	switch (mode & S_IFMT) {
	case S_IFREG:
		return KVIEW__WIRE__OPEN_FILE__FILE_KIND__FILE;
	case S_IFDIR:
		return KVIEW__WIRE__OPEN_FILE__FILE_KIND__DIRECTORY;
	case S_IFIFO:
		return KVIEW__WIRE__OPEN_FILE__FILE_KIND__PIPE;
	case S_IFCHR:
	case S_IFBLK:
		return KVIEW__WIRE__OPEN_FILE__FILE_KIND__DEVICE;
	default:
		return KVIEW__WIRE__OPEN_FILE__FILE_KIND__OTHER;
	}
}

static void slot__fill_inet(struct slot *slot, const struct xp_wait_file *from)
{
	slot->file.message.kind = from->protocol == IPPROTO_TCP ? KVIEW__WIRE__OPEN_FILE__FILE_KIND__TCP :
				  from->protocol == IPPROTO_UDP ? KVIEW__WIRE__OPEN_FILE__FILE_KIND__UDP :
				  KVIEW__WIRE__OPEN_FILE__FILE_KIND__SOCKET;
	if (from->local_port)
		inet__write(slot->local, from, from->local, from->local_port);
	if (from->peer_port && !from->listens)
		inet__write(slot->peer, from, from->peer, from->peer_port);
}

static void slot__fill_epoll(struct slot *slot, const struct xp_wait_file *from)
{
	Kview__Wire__OpenFile *message = &slot->file.message;

	message->kind = KVIEW__WIRE__OPEN_FILE__FILE_KIND__EPOLL;
	message->watched_sockets = from->watched[XP_WATCHED_SOCKETS];
	message->watched_pipes = from->watched[XP_WATCHED_PIPES];
	message->watched_events = from->watched[XP_WATCHED_EVENTS];
	message->watched_timers = from->watched[XP_WATCHED_TIMERS];
	message->watched_others = from->watched[XP_WATCHED_OTHERS];
	message->watches_more = from->is_cut;
}

static void slot__fill_anonymous(struct slot *slot, const struct xp_wait_file *from)
{
	copy_name(slot->name, from->names, XP_PATH_BYTES - 1);
	if (!strcmp(slot->name, "[eventfd]"))
		slot->file.message.kind = KVIEW__WIRE__OPEN_FILE__FILE_KIND__EVENT;
	else if (!strcmp(slot->name, "[timerfd]"))
		slot->file.message.kind = KVIEW__WIRE__OPEN_FILE__FILE_KIND__TIMER;
	else
		return;
	*slot->name = '\0';
}

static void slot__fill(struct slot *slot, const struct xp_wait_file *from, pid_t pid)
{
	Kview__Wire__OpenFile *message = &slot->file.message;

	kview__wire__open_file__init(message);
	*slot->name = *slot->local = *slot->peer = '\0';
	message->number = from->descriptor;
	message->inode = from->inode;
	message->listens = from->listens;
	switch (from->kind) {
	case XP_FILE_PATH:
		message->kind = path__kind(from->mode);
		path__join(slot->name, from);
		break;
	case XP_FILE_PIPE:
		message->kind = KVIEW__WIRE__OPEN_FILE__FILE_KIND__PIPE;
		break;
	case XP_FILE_SOCKET:
		message->kind = KVIEW__WIRE__OPEN_FILE__FILE_KIND__SOCKET;
		break;
	case XP_FILE_INET:
		slot__fill_inet(slot, from);
		break;
	case XP_FILE_UNIX:
		message->kind = KVIEW__WIRE__OPEN_FILE__FILE_KIND__UNIX;
		message->peer_pid = from->peer_pid == (uint32_t)pid ? 0 : from->peer_pid;
		unix__write(slot->local, from->names, from->local_port);
		unix__write(slot->peer, from->names + XP_UNIX_BYTES, from->peer_port);
		break;
	case XP_FILE_EPOLL:
		slot__fill_epoll(slot, from);
		break;
	default:
		slot__fill_anonymous(slot, from);
	}
	message->name = slot->name;
	message->local = slot->local;
	message->peer = slot->peer;
}

static bool slot__is_known(const struct wait_files *files, const struct slot *slot)
{
	return slot->is_read && (slot->file.message.kind != KVIEW__WIRE__OPEN_FILE__FILE_KIND__EPOLL || slot->round == files->round);
}

struct wait_file *wait_files__of(struct wait_files *files, int map, uint64_t number)
{
	size_t at = number & (SLOTS - 1);
	struct xp_wait_file from;
	struct slot *slot;

	while (files->slots[at] && files->slots[at]->number != number)
		at = (at + 1) & (SLOTS - 1);
	slot = files->slots[at];
	if (slot && slot__is_known(files, slot))
		return &slot->file;
	if (bpf_map_lookup_elem(map, &number, &from))
		return slot && slot->is_read ? &slot->file : NULL;
	if (!slot) {
		slot = files->nr == SLOTS / 2 ? NULL : calloc(1, sizeof(*slot));
		if (!slot)
			return NULL;
		slot->number = number;
		files->slots[at] = slot;
		files->nr++;
	}
	slot->is_read = true;
	slot->round = files->round;
	slot__fill(slot, &from, files->pid);
	return &slot->file;
}
