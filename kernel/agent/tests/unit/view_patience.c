// SPDX-License-Identifier: GPL-2.0
/* Signals that come while the agent waits for a process to come into a view do not end the wait. */
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include "check.h"
#include "mechanism/view_patience.h"

#define SIGNALS	3

static volatile sig_atomic_t left = SIGNALS;
static int answer[2];

static void on_alarm(int signal)
{
	if (left && !--left && write(answer[1], "", 1) != 1)
		_exit(2);
}

int main(void)
{
	struct itimerval often = { { 0, 1000 }, { 0, 1000 } };
	struct sigaction action = { .sa_handler = on_alarm };
	bool answered;

	if (pipe(answer) || sigaction(SIGALRM, &action, NULL) || setitimer(ITIMER_REAL, &often, NULL))
		return 2;
	answered = view_patience__await(answer[0]);
	check(answered, "view_patience: the answer is waited for across signals", left);
	return failed;
}
