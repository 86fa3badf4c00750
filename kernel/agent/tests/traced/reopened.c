// SPDX-License-Identifier: GPL-2.0
/*
 * Descriptors that are easily taken for others: sockets that are connected anew, files that are reached by several paths, waits
 * that are for something else than the descriptor.  Prints the descriptors, by name.
 */
#include <arpa/inet.h>
#include <linux/io_uring.h>
#include <net/if.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "sleepers.h"

/* As linux/ipv6.h has it, which does not go together with the C library's own. */
struct own_in6_ifreq {
	struct in6_addr address;
	uint32_t prefix;
	int interface;
};

static char byte;

PROBED long f_ring(int fd, unsigned int flags)
{
	long result = syscall(SYS_io_uring_enter, fd, 0, 1, IORING_ENTER_GETEVENTS | flags, NULL, 0);

	END();
	return result;
}

PROBED long f_udp6(int fd)
{
	long result = recv(fd, &byte, 1, 0);

	END();
	return result;
}

PROBED long f_datagram(int fd)
{
	long result = recv(fd, &byte, 1, 0);

	END();
	return result;
}

PROBED long f_connect(int fd, const struct sockaddr_un *to, socklen_t length)
{
	long result = connect(fd, (const struct sockaddr *)to, length);

	END();
	return result;
}

PROBED long f_stream(int fd)
{
	long result = recv(fd, &byte, 1, 0);

	END();
	return result;
}

PROBED long f_stopped(int fd)
{
	long result = read(fd, &byte, 1);

	END();
	return result;
}

PROBED long f_bound(int fd)
{
	long result = read(fd, &byte, 1);

	END();
	return result;
}

PROBED long f_outside(int fd)
{
	long result = read(fd, &byte, 1);

	END();
	return result;
}

PROBED long f_copies(int fd, const char *from)
{
	long result = write(fd, from, 1);

	END();
	return result;
}

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static int is_stopped(pid_t pid)
{
	char path[64], state = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	file = fopen(path, "r");
	if (!file || fscanf(file, "%*d %*s %c", &state) != 1)
		state = 0;
	if (file)
		fclose(file);
	return state == 'T';
}

/* Another process writes once this one reads; if it is to be stopped, while it reads, that comes before. */
static pid_t read_helped(int fd, int stops)
{
	pid_t reader = getpid(), helper = fork();

	if (helper)
		return helper;
	while (!waits_in(reader, reader, SYS_read))
		usleep(50);
	if (stops) {
		kill(reader, SIGSTOP);
		while (!is_stopped(reader))
			usleep(50);
		kill(reader, SIGCONT);
	}
	_exit(write(fd, "x", 1) != 1);
}

static void gives_up_soon(int fd)
{
	struct timeval soon = { .tv_usec = 5000 };

	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &soon, sizeof(soon));
}

/* Of a ring that is registered the first argument is an index. */
static void rings(void)
{
	static struct { long long s, ns; } soon = { 0, 5000000 };
	struct io_uring_params params = { 0 };
	int ring = syscall(SYS_io_uring_setup, 4, &params);
	struct io_uring_rsrc_update update = { .offset = -1U, .data = ring };
	struct io_uring_sqe *entry;
	char *queue;

	if (ring < 0 || syscall(SYS_io_uring_register, ring, 20 /* IORING_REGISTER_RING_FDS */, &update, 1) != 1) {
		tell("ring", 0);
		return;
	}
	queue = mmap(NULL, params.sq_off.array + params.sq_entries * 4, PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_SQ_RING);
	entry = mmap(NULL, params.sq_entries * sizeof(*entry), PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_SQES);
	if (queue == MAP_FAILED || entry == MAP_FAILED)
		die("mmap");
	memset(entry, 0, sizeof(*entry));
	entry->opcode = IORING_OP_TIMEOUT;
	entry->addr = (uintptr_t)&soon;
	entry->len = 1;
	++*(unsigned int *)(queue + params.sq_off.tail);
	if (syscall(SYS_io_uring_enter, ring, 1, 0, 0, NULL, 0) != 1 || f_ring(update.offset, 1U << 4 /* IORING_ENTER_REGISTERED_RING */) < 0)
		die("io_uring_enter");
	tell("ring", ring);
	close(ring);
}

static struct sockaddr_in6 address6(int last)
{
	struct sockaddr_in6 address = { .sin6_family = AF_INET6, .sin6_port = htons(5353) };

	inet_pton(AF_INET6, "fd77::", &address.sin6_addr);
	address.sin6_addr.s6_addr[15] = last;
	return address;
}

/* In a network of its own, which has the addresses. */
static void connects_udp6(void)
{
	int fd = socket(AF_INET6, SOCK_DGRAM, 0), i;
	struct sockaddr_in6 own_address = address6(3), to;
	struct ifreq interface = { .ifr_name = "lo" };
	int index;

	if (fd < 0 || ioctl(fd, SIOCGIFINDEX, &interface)) {
		tell("udp6", 0);
		return;
	}
	index = interface.ifr_ifindex;	/* the flags have the same place */
	interface.ifr_flags = IFF_UP;
	if (ioctl(fd, SIOCSIFFLAGS, &interface))
		die("lo");
	for (i = 1; i <= 3; i++) {
		struct own_in6_ifreq own = { address6(i).sin6_addr, 128, index };

		if (ioctl(fd, SIOCSIFADDR, &own)) {
			tell("udp6", 0);
			return;
		}
	}
	/* A moment later it is the address of the host. */
	while (bind(fd, (struct sockaddr *)&own_address, sizeof(own_address)))
		usleep(50);
	gives_up_soon(fd);
	for (i = 1; i <= 2; i++) {
		to = address6(i);
		if (connect(fd, (struct sockaddr *)&to, sizeof(to)))
			die("connect");
		f_udp6(fd);
	}
	tell("udp6", fd);
	close(fd);
}

static int unix_bound(const char *name, int type, struct sockaddr_un *address, socklen_t *length)
{
	int fd = socket(AF_UNIX, type, 0);

	*address = (struct sockaddr_un){ .sun_family = AF_UNIX };
	snprintf(address->sun_path + 1, sizeof(address->sun_path) - 1, "%s", name);
	*length = offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name);
	if (bind(fd, (struct sockaddr *)address, *length))
		die(name);
	return fd;
}

static void connects_datagrams(void)
{
	static const char *const names[] = { "kview-first", "kview-second" };
	int fd = socket(AF_UNIX, SOCK_DGRAM, 0), i;
	struct sockaddr_un address;
	socklen_t length;

	gives_up_soon(fd);
	for (i = 0; i < 2; i++) {
		unix_bound(names[i], SOCK_DGRAM, &address, &length);
		if (connect(fd, (struct sockaddr *)&address, length))
			die(names[i]);
		f_datagram(fd);
	}
	tell("datagram", fd);
	close(fd);
}

/* Where one connection waits to be accepted, the next one waits for room. */
static void *accepts(void *listening)
{
	while (!waits_in(getpid(), getpid(), SYS_connect))
		usleep(50);
	accept((int)(intptr_t)listening, NULL, NULL);
	accept((int)(intptr_t)listening, NULL, NULL);
	return NULL;
}

static void connects_streams(void)
{
	struct sockaddr_un address;
	socklen_t length;
	int listening = unix_bound("kview-stream", SOCK_STREAM, &address, &length), first = socket(AF_UNIX, SOCK_STREAM, 0);
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	pthread_t helper;

	if (listen(listening, 0) || connect(first, (struct sockaddr *)&address, length))
		die("listen");
	pthread_create(&helper, NULL, accepts, (void *)(intptr_t)listening);
	if (f_connect(fd, &address, length))
		die("connect");
	gives_up_soon(fd);
	f_stream(fd);
	pthread_join(helper, NULL);
	tell("stream", fd);
	close(first);
	close(fd);
	close(listening);
}

static void stops(void)
{
	int ends[2];

	if (pipe(ends))
		die("pipe");
	read_helped(ends[1], 1);
	f_stopped(ends[0]);
	wait(NULL);
	tell("stopped", ends[0]);
	close(ends[0]);
	close(ends[1]);
}

static void reads_fifo(const char *path, long (*function)(int), const char *jail)
{
	int fd = open(path, O_RDWR);

	if (fd < 0)
		die(path);
	read_helped(fd, 0);
	if (jail && chroot(jail))
		die(jail);
	function(fd);
	wait(NULL);
	close(fd);
}

/* One file by two paths, in mounts of its own. */
static void binds(void)
{
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) || mkdir("one", 0700) || mkdir("other", 0700) || mkfifo("one/fifo", 0600) ||
	    mount("one", "other", NULL, MS_BIND, NULL))
		die("mount");
	reads_fifo("one/fifo", f_bound, NULL);
	reads_fifo("other/fifo", f_bound, NULL);
}

/* From a file that is not in memory, as far as the kernel gives it up. */
static void copies(void)
{
	static char block[1 << 20];
	int file = open("cold", O_CREAT | O_RDWR, 0600), ends[2], i;
	const char *at;

	block[0] = 1;
	if (pipe(ends))
		die("pipe");
	for (i = 0; i < 16; i++)
		if (write(file, block, sizeof(block)) < 0)
			die("cold");
	fsync(file);
	at = mmap(NULL, 16 * sizeof(block), PROT_READ, MAP_SHARED, file, 0);
	if (at == MAP_FAILED)
		die("mmap");
	madvise((void *)at, 16 * sizeof(block), MADV_RANDOM);
	posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
	for (i = 0; i < 16; i++)
		f_copies(ends[1], at + i * sizeof(block));
	close(ends[0]);
	close(ends[1]);
	close(file);
}

/* Of two bytes a letter, and two that are no text. */
static const char outside[] = "outs\xc3\xaf" "de\x1b\xff";

/* FOLDER: empty.  It is filled, and one in it becomes the root. */
int main(int argc, char **argv)
{
	if (argc < 2 || chdir(argv[1]) || unshare(CLONE_NEWNS | CLONE_NEWNET))
		die("unshare");
	rings();
	connects_udp6();
	connects_datagrams();
	connects_streams();
	stops();
	copies();
	binds();
	if (mkfifo(outside, 0600) || mkdir("jail", 0700))
		die("jail");
	reads_fifo(outside, f_outside, "jail");
	printf("done 0\n");
	fflush(stdout);
	pause();
	return 0;
}
