// SPDX-License-Identifier: GPL-2.0
#include "bpf/causes.h"

#include <string.h>
#include <sys/syscall.h>

#include "bpf/metrics.h"

/* Newer than the headers of Debian 12; numbers of all architectures. */
#define NR_futex_waitv	449
#define NR_futex_wake	454
#define NR_futex_wait	455
#define NR_futex_requeue 456

/* SysV semaphores and file locks are locks as well, whatever the kernel builds them on: fcntl waits for nothing else. */
static const uint16_t lock[] = {
	SYS_futex, NR_futex_waitv, NR_futex_wake, NR_futex_wait, NR_futex_requeue,
	SYS_semop, SYS_semtimedop, SYS_flock, SYS_fcntl,
};
static const uint16_t sleeping[] = { SYS_nanosleep, SYS_clock_nanosleep };
/* The thread waits for the device through the journal: in_iowait is not set. */
static const uint16_t block_io[] = {
	SYS_fsync, SYS_fdatasync, SYS_sync, SYS_syncfs, SYS_msync, SYS_sync_file_range,
	SYS_io_getevents, SYS_io_pgetevents,
};
static const uint16_t network[] = {
#ifdef SYS_poll		/* newer architectures have the ones with p alone */
	SYS_poll, SYS_select, SYS_epoll_wait,
#endif
	SYS_ppoll, SYS_pselect6, SYS_epoll_pwait, 441 /* epoll_pwait2 */, SYS_accept, SYS_accept4, SYS_connect, SYS_recvfrom, SYS_recvmsg,
	SYS_recvmmsg, SYS_sendto, SYS_sendmsg, SYS_sendmmsg,
};
static const uint16_t by_file[] = {
	SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_pread64, SYS_pwrite64, SYS_preadv,
	SYS_pwritev, SYS_preadv2, SYS_pwritev2, SYS_sendfile, SYS_splice, SYS_tee, SYS_vmsplice,
};

static void fill(uint8_t *causes, const uint16_t *syscalls, size_t bytes, uint8_t cause)
{
	size_t i;

	for (i = 0; i < bytes / sizeof(*syscalls); i++)
		if (syscalls[i] < XP_SYSCALLS)
			causes[syscalls[i]] = cause;
}

void causes__fill(uint8_t *causes)
{
	memset(causes, XP_OTHER, XP_SYSCALLS);
	fill(causes, lock, sizeof(lock), XP_LOCK);
	fill(causes, sleeping, sizeof(sleeping), XP_SLEEP);
	fill(causes, block_io, sizeof(block_io), XP_BLOCK_IO);
	fill(causes, network, sizeof(network), XP_NETWORK);
	fill(causes, by_file, sizeof(by_file), XP_BY_FILE);
}
