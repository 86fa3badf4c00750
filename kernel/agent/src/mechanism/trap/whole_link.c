// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/bpf.h>

#include "mechanism/trap/whole_link.h"

int whole_link__create(const struct whole_link *link)
{
	union bpf_attr attr;
	int fd;

	memset(&attr, 0, sizeof(attr));
	attr.link_create.prog_fd = link->program_fd;
	attr.link_create.attach_type = WHOLE_LINK_TYPE;
	attr.link_create.uprobe_multi.path = (uintptr_t)link->path;
	attr.link_create.uprobe_multi.offsets = (uintptr_t)link->offsets;
	attr.link_create.uprobe_multi.cookies = (uintptr_t)link->cookies;
	attr.link_create.uprobe_multi.cnt = link->nr;
	attr.link_create.uprobe_multi.pid = link->pid;
	fd = syscall(SYS_bpf, BPF_LINK_CREATE, &attr, sizeof(attr));
	return fd < 0 ? -errno : fd;
}
