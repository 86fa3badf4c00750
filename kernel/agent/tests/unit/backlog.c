// SPDX-License-Identifier: GPL-2.0
/*
 * Frames leave a backlog as they came in, whichever of them lay in memory and in the file, also where the file takes no
 * more; and the disk gets back what was read.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "check.h"
#include "client/backlog.h"

#define FRAME_BYTES	(1U << 20)

static unsigned int last_in, last_out;

static void put(struct backlog *backlog, unsigned int nr)
{
	while (nr--) {
		struct frame *frame = calloc(1, sizeof(*frame) + FRAME_BYTES);

		*frame = (struct frame){ .length = FRAME_BYTES, .numbered = true, .packet_bytes = ++last_in };
		memset(frame->bytes, last_in, FRAME_BYTES);
		backlog__add(backlog, frame, true);
	}
}

/* How many of nr came as they were put. */
static unsigned int take(struct backlog *backlog, unsigned int nr)
{
	unsigned int good = 0;

	while (nr--) {
		struct frame *frame = backlog__take(backlog);

		if (!frame)
			break;
		last_out++;
		good += frame->length == FRAME_BYTES && frame->packet_bytes == last_out && frame->numbered && !frame->sequence &&
			frame->bytes[0] == (uint8_t)last_out && frame->bytes[FRAME_BYTES - 1] == (uint8_t)last_out;
		free(frame);
	}
	return good;
}

static uint64_t on_disk(const struct backlog *backlog)
{
	struct stat file = { 0 };

	fstat(backlog->fd, &file);
	return 512 * file.st_blocks;
}

int main(void)
{
	struct rlimit before, none;
	struct backlog backlog;
	bool has_room;

	setvbuf(stdout, NULL, _IOLBF, 0);
	backlog__init(&backlog);
	put(&backlog, 4);
	check(!backlog.was_opened && take(&backlog, 3) == 3, "a few stay in memory", backlog.was_opened);
	put(&backlog, 30);
	if (backlog.fd < 0) {
		printf("ok # no disk here for a file: %d\n", backlog.was_opened);
		return failed;
	}
	check(backlog.end > 20 * FRAME_BYTES, "many lie in the file", backlog.end);
	check(take(&backlog, 20) == 20, "they come in order", last_out);
	check(on_disk(&backlog) < backlog.end - 8 * FRAME_BYTES, "the disk has back what was read", on_disk(&backlog));
	put(&backlog, 5);
	check(take(&backlog, 16) == 16 && backlog__is_empty(&backlog), "all come", last_out);
	check(!on_disk(&backlog) && !take(&backlog, 1), "an empty one has no file", on_disk(&backlog));

	put(&backlog, 20);
	backlog.most_bytes = backlog.end - backlog.begin + FRAME_BYTES / 2;
	check(backlog__has_room(&backlog), "there is room up to the file's limit", 0);
	put(&backlog, 1);
	check(!backlog__has_room(&backlog), "and none beyond", 0);
	put(&backlog, 4);
	check(take(&backlog, 25) == 25 && backlog__is_empty(&backlog), "what comes beyond is behind", last_out);

	put(&backlog, 20);
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &before);
	none = (struct rlimit){ 0, before.rlim_max };
	setrlimit(RLIMIT_FSIZE, &none);
	put(&backlog, 5);
	has_room = backlog__has_room(&backlog);
	setrlimit(RLIMIT_FSIZE, &before);
	check(!has_room, "a disk that takes no more has no room", 0);
	check(take(&backlog, 25) == 25, "and nothing is lost of what there is", last_out);

	backlog__free(&backlog);
	backlog__init(&backlog);
	last_in = last_out = 0;
	backlog.was_opened = true;
	put(&backlog, 20);
	check(take(&backlog, 20) == 20, "likewise where no file can be had", last_out);
	backlog__free(&backlog);
	return failed;
}
