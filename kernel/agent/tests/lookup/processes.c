// SPDX-License-Identifier: GPL-2.0
/* processes [PID]: prints one or all processes, a JSON object a line, for the tests. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../src/processes/processes.h"

static void print_string(const char *text)
{
	putchar('"');
	for (; *text; text++)
		printf(*text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
	putchar('"');
}

static void print_process(const struct ps_process *process)
{
	printf("{\"pid\":%d,\"parent_pid\":%d,\"uid\":%u,\"threads\":%u,\"cpu_time_ns\":%" PRIu64
	       ",\"start_time_ns\":%" PRIu64 ",\"kernel_thread\":%s,\"name\":", process->pid,
	       process->parent_pid, process->uid, process->threads, process->cpu_time_ns,
	       process->start_time_ns, process->kernel_thread ? "true" : "false");
	print_string(process->name);
	printf(",\"user\":");
	print_string(process->user);
	printf(",\"executable\":");
	print_string(process->executable);
	printf(",\"cgroup\":");
	print_string(process->cgroup);
	printf(",\"arguments\":[");
	for (size_t i = 0; i < process->nr_arguments; i++) {
		if (i)
			putchar(',');
		print_string(process->arguments[i]);
	}
	printf("]}\n");
}

int main(int argc, char **argv)
{
	struct ps_process process;
	struct ps_list list;

	if (argc > 1) {
		if (ps_process__read(&process, atoi(argv[1]))) {
			ps_process__free(&process);
			return 1;
		}
		print_process(&process);
		ps_process__free(&process);
		return 0;
	}
	if (ps_list__read(&list, NULL)) {
		perror("processes");
		return 1;
	}
	for (size_t i = 0; i < list.nr; i++)
		print_process(&list.processes[i]);
	ps_list__free(&list);
	return 0;
}
