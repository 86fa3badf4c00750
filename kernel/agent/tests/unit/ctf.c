// SPDX-License-Identifier: GPL-2.0
/*
 * What is written is what trace.tsdl describes: babeltrace2 reads it by that description alone, and finds
 * each value where it was put.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "recording/ctf.h"

#include "check.h"

static const uint8_t uuid[16] = { 0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef,
				  0x10, 0x32, 0x54, 0x76, 0x98, 0xba, 0xdc, 0xfe };
static const char *const functions[] = { "parse(int)", "store", "a \"b\" \\ \xc3\xa9", "store" };

static struct xp_event head(uint8_t type, uint64_t time_ns, uint8_t cause)
{
	return (struct xp_event){ .time_ns = time_ns, .tid = 4000000000U, .type = type,
				  .cause = cause };
}

static void add_all(struct ctf_packet *packet)
{
	struct xp_event_exit_causes exit = {
		.exit = { .call = { .head = head(XP_CALL_EXIT, 1700, XP_CAUSES), .function = 3,
				    .depth = 65535 },
			  .begin_ns = 1100, .wall_ns = 0x1122334455667788, .on_cpu_ns = 7 },
	};
	struct xp_event_exit_causes plain = {
		.exit = { .call = { .head = head(XP_CALL_EXIT, 1800, 0), .function = 2, .depth = 1 },
			  .begin_ns = 1799, .wall_ns = 1, .on_cpu_ns = 1 },
	};
	struct xp_event_call entry = { .head = head(XP_CALL_ENTRY, 1100, 0), .function = 1,
				       .depth = 258 };
	struct xp_event_switch_out out = { .head = head(XP_SWITCH_OUT, 1200, XP_LOCK),
					   .syscall = -1 };
	struct xp_event_wakeup wakeup = { .head = head(XP_WAKEUP, 1300, 0), .waker_tid = 99,
					  .waker_comm = "sixteen-bytes--" };
	struct xp_event_switch_in in = { .head = head(XP_SWITCH_IN, 1400, 0), .off_ns = 1ULL << 40,
					 .queued_ns = 3 };
	struct xp_event ended = head(XP_THREAD_EXIT, 1900, 0);
	int i;

	for (i = 0; i < XP_CAUSES; i++)
		exit.off_ns[i] = 1000 + i;
	ctf_packet__add_thread(packet, 1000, 4000000000U, 12, "name");
	ctf_packet__add(packet, &entry.head);
	ctf_packet__add(packet, &out.head);
	ctf_packet__add(packet, &wakeup.head);
	ctf_packet__add(packet, &in.head);
	ctf_packet__add(packet, &exit.exit.call.head);
	ctf_packet__add(packet, &plain.exit.call.head);
	ctf_packet__add(packet, &ended);
}

/* What babeltrace2 has to say of these: all but the time and the name before. */
static const char *const expected[] = {
	"thread: { cpu_id = 5 }, { tid = 4000000000, pid = 12, name_length = 4, name = \"name\" }",
	"call_entry: { cpu_id = 5 }, { tid = 4000000000, function = ( \"store\" : container = 1 ), depth = 258 }",
	"switch_out: { cpu_id = 5 }, { tid = 4000000000, cause = ( \"lock\" : container = 5 ), syscall = -1 }",
	"wakeup: { cpu_id = 5 }, { tid = 4000000000, waker_tid = 99, waker_comm_length = 15, waker_comm = \"sixteen-bytes--\" }",
	"switch_in: { cpu_id = 5 }, { tid = 4000000000, off_ns = 1099511627776, queued_ns = 3 }",
	"call_exit: { cpu_id = 5 }, { tid = 4000000000, function = ( \"store#3\" : container = 3 ), depth = 65535, begin = 1100, "
	"wall = 1234605616436508552, on_cpu = 7, causes_length = 11, causes = [ "
	"[0] = { cause = ( \"run_queue\" : container = 2 ), ns = 1000 }, "
	"[1] = { cause = ( \"preempted\" : container = 3 ), ns = 1001 }, "
	"[2] = { cause = ( \"block_io\" : container = 4 ), ns = 1002 }, "
	"[3] = { cause = ( \"lock\" : container = 5 ), ns = 1003 }, "
	"[4] = { cause = ( \"sleep\" : container = 6 ), ns = 1004 }, "
	"[5] = { cause = ( \"network\" : container = 7 ), ns = 1005 }, "
	"[6] = { cause = ( \"page_fault\" : container = 8 ), ns = 1006 }, "
	"[7] = { cause = ( \"steal\" : container = 9 ), ns = 1007 }, "
	"[8] = { cause = ( \"other\" : container = 10 ), ns = 1008 }, "
	"[9] = { cause = ( \"throttled\" : container = 11 ), ns = 1009 }, "
	"[10] = { cause = ( \"stopped\" : container = 12 ), ns = 1010 } ] }",
	"call_exit: { cpu_id = 5 }, { tid = 4000000000, function = ( \"a \\\"b\\\" \\\\ \\?\\?\" : container = 2 ), depth = 1, begin = 1799, "
	"wall = 1, on_cpu = 1, causes_length = 0, causes = [ ] }",
	"thread_exit: { cpu_id = 5 }, { tid = 4000000000 }",
};
#define EXPECTED	(sizeof(expected) / sizeof(*expected))

static void write_file(const char *folder, const char *name, const void *bytes, size_t length)
{
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "w");
	if (!file || fwrite(bytes, 1, length, file) != length || fclose(file))
		perror(path);
}

static void read_back(const char *folder)
{
	char command[4096], *line = NULL, *found;
	size_t size = 0, i = 0;
	FILE *lines;
	bool same;

	snprintf(command, sizeof(command), "babeltrace2 --clock-cycles --no-delta %s 2>&1", folder);
	lines = popen(command, "r");
	while (lines && getline(&line, &size, lines) > 0) {
		line[strcspn(line, "\n")] = 0;
		found = strstr(line, " vm kview:");
		same = found && i < EXPECTED && !strcmp(found + strlen(" vm kview:"), expected[i]);
		check(same, "an event is read as it was written", i++);
		if (!same)
			printf("# %s\n", line);
	}
	check(i == EXPECTED && !pclose(lines), "all are read, and nothing else is said", i);
	free(line);
}

int main(void)
{
	struct ctf_trace trace = { .realtime_offset_ns = 1700000000123456789, .hostname = "vm",
				   .traced_pid = 4711, .function_names = functions,
				   .nr_functions = 4 };
	char folder[] = "/tmp/kview-ctf-XXXXXX", command[4096];
	struct ctf_packet packet;
	char *metadata;

	memcpy(trace.uuid, uuid, sizeof(uuid));
	metadata = ctf__metadata(&trace);
	if (!metadata || ctf_packet__init(&packet, 4096) || !mkdtemp(folder))
		return 1;
	check(!strchr(metadata, '@') &&
	      strstr(metadata, "uuid = \"01234567-89ab-cdef-1032-547698badcfe\";") &&
	      strstr(metadata, "offset = 1700000000123456789;") && strstr(metadata, "target_pid = 4711;"),
	      "every blank of the description is filled in", strlen(metadata));
	add_all(&packet);
	ctf_packet__close(&packet, uuid, 5, 0, 0);
	write_file(folder, "metadata", metadata, strlen(metadata));
	write_file(folder, "cpu_5", packet.bytes, packet.length);
	read_back(folder);
	snprintf(command, sizeof(command), "rm -r %s", folder);
	if (system(command))
		perror(folder);
	ctf_packet__free(&packet);
	free(metadata);
	return failed;
}
