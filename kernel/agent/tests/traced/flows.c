// SPDX-License-Identifier: GPL-2.0
/*
 * System calls that are known: how long they wait, what they return, whether they end.
 *
 *	flows pipe MS COUNT	reads a byte from a pipe COUNT times, each written MS after the reader went to sleep to wait for it
 *	flows untimed MS COUNT	as pipe, but may not read the time stamp counter: at each switch to and from it that is set
 *	flows yields		calls sched_yield, on and on
 *	flows sends		sends a datagram to itself, on the loopback device, each 5 ms
 *	flows zero BYTES	reads from /dev/zero, on and on
 *	flows faults PAGES	reads from /dev/zero into memory that is not there yet, on and on, with 0.2 s between two reads
 *	flows threads NR	NR threads at a time read from /dev/zero, end, and others begin
 *	flows waiters NR	once it is told a byte, NR threads wait in read, without end
 *	flows exits		reads its input to the end, and ends by exit_group
 *	flows hangs		its child is within an execve, which ends once it is told a byte, when it prints the child's number;
 *				the program of that execve is flows waiters 1
 *	flows forks		forks a child, which waits without end, for each byte that it reads
 *	flows execs TIMES	reads 100 times, then executes itself with one time less, which ends it at 0
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int zero, ends[2];
static size_t bytes = 1;

static void pause_ms(long ms)
{
	struct timespec time = { ms / 1000, ms % 1000 * 1000000 };

	nanosleep(&time, NULL);
}

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static void read_zero(void *to)
{
	if (read(zero, to, bytes) != (ssize_t)bytes)
		fail("read");
}

/* A thread's file of this name shows its system call only while the thread has no CPU and sleeps, or is just woken. */
static int open_call_of(pid_t thread)
{
	char path[64];
	int file;

	snprintf(path, sizeof(path), "/proc/self/task/%d/syscall", thread);
	file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		fail(path);
	return file;
}

/* It has taken what was written before.  Looks by other system calls than read, which is what is followed. */
static int waits_in_read(int call)
{
	char text[16];
	ssize_t length;
	int unread;

	if (ioctl(ends[0], FIONREAD, &unread))
		fail("ioctl");
	length = pread(call, text, sizeof(text), 0);
	if (length < 0)
		fail("pread");
	return !unread && length > 2 && !strncmp(text, "0 ", 2);
}

static void *write_often(void *ms)
{
	int reader = open_call_of(getpid());

	for (;;) {
		while (!waits_in_read(reader))
			pause_ms(1);
		pause_ms((long)ms);
		if (write(ends[1], "", 1) != 1)
			fail("write");
	}
	return NULL;
}

static void *read_some(void *unused __attribute__((unused)))
{
	char byte;
	int i;

	for (i = 0; i < 20; i++)
		read_zero(&byte);
	return NULL;
}

static void *wait_forever(void *unused)
{
	struct pollfd told = { .fd = 0, .events = POLLIN };
	char byte;

	poll(&told, 1, -1);
	return read(ends[0], &byte, 1) < 0 ? NULL : unused;
}

static void start(void *(*run)(void *), void *argument, pthread_t *thread)
{
	if (pthread_create(thread, NULL, run, argument))
		fail("pthread_create");
}

static void read_pipe(long ms, long count)
{
	pthread_t thread;
	char byte;

	start(write_often, (void *)ms, &thread);
	while (count-- > 0)
		if (read(ends[0], &byte, 1) != 1)
			fail("read");
}

static void send_to_itself(void)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int own = socket(AF_INET, SOCK_DGRAM, 0);
	socklen_t size = sizeof(to);
	char byte = 0;

	if (own < 0 || bind(own, (struct sockaddr *)&to, size) || getsockname(own, (struct sockaddr *)&to, &size))
		fail("socket");
	for (;;) {
		if (sendto(own, &byte, 1, 0, (struct sockaddr *)&to, size) != 1 || recv(own, &byte, 1, 0) != 1)
			fail("sendto");
		pause_ms(5);
	}
}

static void read_into_new(size_t pages)
{
	char *at;

	bytes = pages * 4096;
	for (;;) {
		at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (at == MAP_FAILED)
			fail("mmap");
		read_zero(at);
		munmap(at, bytes);
		pause_ms(200);
	}
}

static void come_and_go(int nr)
{
	pthread_t threads[64];
	int i;

	for (;;) {
		for (i = 0; i < nr; i++)
			start(read_some, NULL, &threads[i]);
		for (i = 0; i < nr; i++)
			pthread_join(threads[i], NULL);
	}
}

static void wait_all(int nr)
{
	pthread_t thread;

	while (nr-- > 0)
		start(wait_forever, NULL, &thread);
	pause();
}

static void execute_again(char **argv)
{
	char times[24];
	long left = atol(argv[2]);
	char byte;
	int i;

	for (i = 0; i < 100; i++)
		read_zero(&byte);
	pause_ms(20);
	if (left <= 0)
		return;
	snprintf(times, sizeof(times), "%ld", left - 1);
	argv[2] = times;
	execv("/proc/self/exe", argv);
	fail("execv");
}

static void fork_as_told(void)
{
	char byte;

	while (read(0, &byte, 1) == 1)
		if (!fork()) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			for (;;)
				pause();
		}
}

static void *tell_number(void *unused __attribute__((unused)))
{
	pid_t number = syscall(SYS_gettid);

	if (write(ends[1], &number, sizeof(number)) != sizeof(number))
		fail("write");
	for (;;)
		pause();
	return NULL;
}

/* Once its other thread is traced. */
static void execute_when_traced(int told)
{
	char *arguments[] = { "flows", "waiters", "1", NULL }, byte;
	pthread_t thread;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	start(tell_number, NULL, &thread);
	if (read(told, &byte, 1) != 1 || dup2(zero, 0) < 0)
		fail("read");
	execv("/proc/self/exe", arguments);
	fail("execv");
}

/* An execve waits for the process's other threads to go, and one that is traced goes when its tracer has waited for it. */
static void hold_up_execve(void)
{
	pid_t child, thread;
	siginfo_t ended;
	char byte = 0;
	int tell[2];

	if (pipe2(tell, O_CLOEXEC))
		fail("pipe");
	child = fork();
	if (!child)
		execute_when_traced(tell[0]);
	if (child < 0 || read(ends[0], &thread, sizeof(thread)) != sizeof(thread) || ptrace(PTRACE_SEIZE, thread, 0, 0) ||
	    write(tell[1], &byte, 1) != 1 || waitid(P_PID, thread, &ended, WEXITED | WNOWAIT | __WALL))
		fail("hangs");
	printf("%d\n", child);
	fflush(stdout);
	if (read(0, &byte, 1) != 1 || waitpid(thread, NULL, __WALL) != thread)
		fail("waitpid");
	waitpid(child, NULL, 0);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	long number = argc > 2 ? atol(argv[2]) : 0;
	char *buffer, byte;

	zero = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	if (zero < 0 || pipe2(ends, O_CLOEXEC))
		fail("open");
	if (!strcmp(what, "pipe") && argc > 3) {
		read_pipe(number, atol(argv[3]));
	} else if (!strcmp(what, "untimed") && argc > 3) {
		if (prctl(PR_SET_TSC, PR_TSC_SIGSEGV))
			fail("prctl");
		read_pipe(number, atol(argv[3]));
	} else if (!strcmp(what, "yields")) {
		for (;;)
			sched_yield();
	} else if (!strcmp(what, "sends")) {
		send_to_itself();
	} else if (!strcmp(what, "zero")) {
		bytes = number;
		buffer = calloc(1, bytes);
		for (;;)
			read_zero(buffer);
	} else if (!strcmp(what, "faults")) {
		read_into_new(number);
	} else if (!strcmp(what, "threads") && number <= 64) {
		come_and_go(number);
	} else if (!strcmp(what, "waiters")) {
		wait_all(number);
	} else if (!strcmp(what, "exits")) {
		while (read(0, &byte, 1) == 1)
			;
		_exit(0);
	} else if (!strcmp(what, "hangs")) {
		hold_up_execve();
	} else if (!strcmp(what, "forks")) {
		fork_as_told();
	} else if (!strcmp(what, "execs")) {
		execute_again(argv);
	} else {
		fprintf(stderr, "flows: see its source\n");
		return 2;
	}
	return 0;
}
