// SPDX-License-Identifier: GPL-2.0
#include "bpf/descriptors.h"

#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>

/*
 * Not close, whose descriptor is another file's as soon as it waits, and none of those with two descriptors
 * (sendfile, splice), of which nobody knows here for which they wait.
 */
static const uint16_t first[] = {
	SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_pread64, SYS_pwrite64, SYS_preadv, SYS_pwritev, SYS_preadv2,
	SYS_pwritev2, SYS_vmsplice,
	SYS_accept, SYS_accept4, SYS_connect, SYS_recvfrom, SYS_recvmsg, SYS_recvmmsg, SYS_sendto, SYS_sendmsg,
	SYS_sendmmsg, SYS_shutdown,
	SYS_fsync, SYS_fdatasync, SYS_syncfs, SYS_sync_file_range, SYS_fallocate, SYS_ftruncate, SYS_fadvise64,
	SYS_readahead, SYS_getdents64, SYS_fstat, SYS_fchmod, SYS_fchown,
	SYS_flock, SYS_fcntl, SYS_ioctl, SYS_mq_timedsend, SYS_mq_timedreceive,
#ifdef SYS_epoll_wait	/* newer architectures have the one with p alone */
	SYS_epoll_wait,
#endif
	SYS_epoll_pwait, 441 /* epoll_pwait2 */, 426 /* io_uring_enter */,
};

void descriptors__fill(uint8_t *all)
{
	size_t i;

	memset(all, 0, XP_SYSCALLS);
	for (i = 0; i < sizeof(first) / sizeof(*first); i++)
		if (first[i] < XP_SYSCALLS)
			all[first[i]] = 1;
}
