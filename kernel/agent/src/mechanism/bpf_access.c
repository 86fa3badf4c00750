// SPDX-License-Identifier: GPL-2.0
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include <bpf/libbpf.h>

#include "mechanism/bpf_access.h"
#include "mechanism/capabilities.h"

static int libbpf__print(enum libbpf_print_level level, const char *format, va_list args)
{
	return level == LIBBPF_WARN && getenv("KVIEW_AGENT_DEBUG") ?
		vfprintf(stderr, format, args) : 0;
}

int bpf_access__prepare(struct error *error)
{
	const struct rlimit unlimited = { RLIM_INFINITY, RLIM_INFINITY };

	if (!capabilities__sees_host_pids())
		return error__set(error, ERR_UNSUPPORTED,
				  "The agent runs in a container with process ids of its own: run it on the host itself, or with the host's (--pid=host).");
	libbpf_set_print(libbpf__print);
	/* Kernels before 5.11 charge maps to this limit. */
	setrlimit(RLIMIT_MEMLOCK, &unlimited);
	return 0;
}
