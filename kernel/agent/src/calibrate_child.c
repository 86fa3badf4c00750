// SPDX-License-Identifier: GPL-2.0
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "calibrate_child.h"
#include "calibration_code.h"
#include "xprobe.h"

#define CALLS		64	/* a batch: short enough to miss most ticks */
#define STEPPED_CALLS	32

unsigned int calibrate_child__calls(uint8_t class)
{
	bool stepped = class / XP_EXIT_CLASSES == XP_ENTRY_STEPPED ||
		       class % XP_EXIT_CLASSES == XP_EXIT_STEPPED;

	return stepped ? STEPPED_CALLS : CALLS;
}

const struct calibration_code *calibrate_child__code(uint8_t class)
{
	return &calibration_code[class / XP_EXIT_CLASSES][class % XP_EXIT_CLASSES];
}

static uint64_t cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

static void run(int fd)
{
	uint64_t taken_ns;
	uint8_t class;

	while (read(fd, &class, 1) == 1) {
		taken_ns = cpu_ns();
		calibration_code__call(calibrate_child__code(class)->start, calibrate_child__calls(class));
		taken_ns = cpu_ns() - taken_ns;
		if (write(fd, &taken_ns, sizeof(taken_ns)) != sizeof(taken_ns))
			break;
	}
	_exit(0);
}

int calibrate_child__start(struct calibrate_child *child)
{
	pid_t parent = getpid();
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds))
		return -1;
	child->pid = fork();
	if (child->pid < 0) {
		close(fds[0]);
		close(fds[1]);
		return -1;
	}
	if (!child->pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(1);
		close(fds[0]);
		run(fds[1]);
	}
	close(fds[1]);
	child->fd = fds[0];
	return 0;
}

void calibrate_child__end(struct calibrate_child *child)
{
	kill(child->pid, SIGKILL);
	waitpid(child->pid, NULL, 0);
	close(child->fd);
}

int calibrate_child__batch(const struct calibrate_child *child, uint8_t class, double *call_ns)
{
	uint64_t taken_ns;

	if (write(child->fd, &class, 1) != 1 ||
	    read(child->fd, &taken_ns, sizeof(taken_ns)) != sizeof(taken_ns))
		return -1;
	*call_ns = (double)taken_ns / calibrate_child__calls(class);
	return 0;
}
