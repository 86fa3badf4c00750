// SPDX-License-Identifier: GPL-2.0
#include <link.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "calibrate.h"
#include "error.h"
#include "loop.h"

#define BATCHES		15
#define CALLS		64	/* a batch: short enough to miss most ticks */
#define SWITCHES	200	/* a batch */
#define SWITCH_BATCHES	40
#define SWITCH_ROUNDS	3	/* without and with, in turn, against a drifting clock rate */

/*
 * An entry that the kernel emulates (push) or single-steps (mov), an exit by a return,
 * which is stepped, or by a jump, which is emulated.  The return probes use functions of
 * their own: a probe's cost depends on what else is on the place.
 */
#define CAL_FUNCTION(name, entry, exit)			\
	asm(".pushsection .text\n"			\
	    ".p2align 6\n"				\
	    #name ":\n" entry "\n"			\
	    #name "_exit:\n" exit "\n"			\
	    ".popsection\n");				\
	extern char name[], name##_exit[]

#define EMULATED_ENTRY	"push %rbp\n pop %rbp"
#define STEPPED_ENTRY	"mov %rsp, %rax"

asm(".pushsection .text\n.p2align 6\ncal_nop:\n .byte 0x0f, 0x1f, 0x44, 0, 0\n ret\n.popsection\n");
extern char cal_nop[];
asm(".pushsection .text\n.p2align 6\ncal_tail:\n ret\n.popsection\n");
CAL_FUNCTION(cal_emulated_uret, EMULATED_ENTRY, "ret");
CAL_FUNCTION(cal_emulated_jump, EMULATED_ENTRY, "jmp cal_tail");
CAL_FUNCTION(cal_emulated_ret, EMULATED_ENTRY, "ret");
CAL_FUNCTION(cal_stepped_uret, STEPPED_ENTRY, "ret");
CAL_FUNCTION(cal_stepped_jump, STEPPED_ENTRY, "jmp cal_tail");
CAL_FUNCTION(cal_stepped_ret, STEPPED_ENTRY, "ret");

static const struct {
	char *start, *exit;
} cal_functions[XP_ENTRY_CLASSES][XP_EXIT_CLASSES] = {
#define CAL(name)	{ name, name##_exit }
	{ CAL(cal_emulated_uret), CAL(cal_emulated_jump), CAL(cal_emulated_ret) },
	{ CAL(cal_stepped_uret), CAL(cal_stepped_jump), CAL(cal_stepped_ret) },
};

/* Where an address of this program is in its file. */
static uint64_t file_offset__of(const char *address)
{
	extern const char __ehdr_start[];
	const ElfW(Ehdr) *elf = (const void *)__ehdr_start;
	const ElfW(Phdr) *segment = (const void *)(__ehdr_start + elf->e_phoff);
	uint64_t at;
	int i;

	for (i = 0; i < elf->e_phnum; i++) {
		if (segment[i].p_type != PT_LOAD)
			continue;
		/* Position-dependent: the agent is linked statically. */
		at = (uint64_t)address - segment[i].p_vaddr;
		if ((uint64_t)address >= segment[i].p_vaddr && at < segment[i].p_filesz)
			return at + segment[i].p_offset;
	}
	return 0;
}

uint64_t calibrate__any_offset(void)
{
	return file_offset__of(cal_functions[0][0].start);
}

uint64_t calibrate__nop_offset(void)
{
	return file_offset__of(cal_nop);
}

uint8_t calibrate__call_nop(void)
{
	int i;

	for (i = 0; i < 4; i++)
		asm volatile("call *%0" : : "r"(cal_nop) : "memory", "cc");
	return *(volatile uint8_t *)cal_nop;
}

struct child {
	pid_t pid;
	int fd;			/* a byte with the function's number asks for a batch */
};

static void child__call(unsigned int which, uint64_t *elapsed_ns)
{
	const char *function = cal_functions[which / XP_EXIT_CLASSES][which % XP_EXIT_CLASSES].start;
	uint64_t start = clock__now_ns();
	int i;

	for (i = 0; i < CALLS; i++)
		asm volatile("call *%0" : : "r"(function) : "rax", "memory", "cc");
	*elapsed_ns = clock__now_ns() - start;
}

static void child__run(int fd)
{
	uint64_t elapsed_ns;
	uint8_t which;

	while (read(fd, &which, 1) == 1) {
		child__call(which, &elapsed_ns);
		if (write(fd, &elapsed_ns, sizeof(elapsed_ns)) != sizeof(elapsed_ns))
			break;
	}
	_exit(0);
}

static int child__start(struct child *child)
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
		child__run(fds[1]);
	}
	close(fds[1]);
	child->fd = fds[0];
	return 0;
}

static void child__end(struct child *child)
{
	kill(child->pid, SIGKILL);
	waitpid(child->pid, NULL, 0);
	close(child->fd);
}

static int child__batch(const struct child *child, uint8_t which, uint64_t *elapsed_ns)
{
	return write(child->fd, &which, 1) == 1 &&
	       read(child->fd, elapsed_ns, sizeof(*elapsed_ns)) == sizeof(*elapsed_ns) ? 0 : -1;
}

static int compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static double median(double *values, size_t nr)
{
	qsort(values, nr, sizeof(*values), compare);
	return values[nr / 2];
}

static struct xp_total wall__of(const struct xprobe *xprobe, uint32_t function)
{
	struct xprobe_counts counts = xprobe__counts(xprobe);
	struct xp_total sum = { 0 };
	uint32_t slot;

	for (slot = 0; slot < counts.slots; slot++) {
		size_t index = ((size_t)slot * counts.functions + function) * XP_METRICS + XP_WALL;

		sum.count += counts.totals[index].count;
		sum.total_ns += counts.totals[index].total_ns;
	}
	return sum;
}

/* What a call without probes takes, here some ns. */
static int measure__plain(const struct child *child, uint8_t which, double *call_ns)
{
	double calls[BATCHES];
	uint64_t elapsed;
	int i;

	for (i = 0; i < BATCHES; i++) {
		if (child__batch(child, which, &elapsed))
			return -1;
		calls[i] = (double)elapsed / CALLS;
	}
	*call_ns = median(calls, BATCHES);
	return 0;
}

static int measure__probed(struct xprobe *xprobe, const struct child *child, uint8_t which,
			   uint32_t function, double plain_ns, struct xp_cost *cost)
{
	double inner[BATCHES], calls[BATCHES], inner_ns, call_ns;
	struct xp_total before, after;
	uint64_t elapsed;
	int i;

	/* The first batch maps what the kernel needs for single-stepping. */
	if (child__batch(child, which, &elapsed))
		return -1;
	for (i = 0; i < BATCHES; i++) {
		before = wall__of(xprobe, function);
		if (child__batch(child, which, &elapsed))
			return -1;
		after = wall__of(xprobe, function);
		if (after.count - before.count != CALLS)
			return -1;
		inner[i] = (double)(after.total_ns - before.total_ns) / CALLS;
		calls[i] = (double)elapsed / CALLS;
	}
	inner_ns = median(inner, BATCHES) - plain_ns;
	call_ns = median(calls, BATCHES) - plain_ns;
	cost->inner_ns = inner_ns > 0 ? inner_ns : 0;
	cost->call_ns = call_ns > cost->inner_ns ? call_ns : cost->inner_ns;
	return 0;
}

static void describe(struct fn_function *function, struct fn_site *site, int entry, int exit)
{
	uint64_t start = file_offset__of(cal_functions[entry][exit].start);

	memset(function, 0, sizeof(*function));
	memset(site, 0, sizeof(*site));
	site->file_offset = file_offset__of(cal_functions[entry][exit].exit);
	site->kind = exit == XP_EXIT_EMULATED ? FN_SITE_JUMP : FN_SITE_RET;
	site->cost = exit == XP_EXIT_EMULATED ? FN_INSN_EMULATED : FN_INSN_SINGLE_STEPPED;
	function->file_offset = function->entry_offset = start;
	function->name = "calibration";
	function->entry_cost = entry == XP_ENTRY_EMULATED ? FN_INSN_EMULATED :
			       FN_INSN_SINGLE_STEPPED;
	function->exit_kind = exit == XP_EXIT_URETPROBE ? FN_EXIT_URETPROBE : FN_EXIT_SITES;
	if (exit != XP_EXIT_URETPROBE) {
		function->sites = site;
		function->nr_sites = 1;
	}
}

void calibrate__apply(struct xprobe *xprobe, const struct calibration *calibration)
{
	int entry, exit;

	for (entry = 0; entry < XP_ENTRY_CLASSES; entry++)
		for (exit = 0; exit < XP_EXIT_CLASSES; exit++)
			xprobe__set_cost(xprobe, entry, exit, calibration->costs[entry][exit]);
}

int calibrate__probes(struct xprobe *xprobe, struct calibration *calibration,
		      struct fn_error *error)
{
	const uint32_t nr = XP_ENTRY_CLASSES * XP_EXIT_CLASSES;
	uint32_t first = xprobe__counts(xprobe).functions - nr, i;
	struct xprobe_function functions[XP_ENTRY_CLASSES * XP_EXIT_CLASSES];
	struct fn_function described[XP_ENTRY_CLASSES * XP_EXIT_CLASSES];
	struct fn_site sites[XP_ENTRY_CLASSES * XP_EXIT_CLASSES];
	double plain[XP_ENTRY_CLASSES * XP_EXIT_CLASSES];
	struct child child;
	int result = -1;

	memset(calibration, 0, sizeof(*calibration));
	calibrate__apply(xprobe, calibration);
	if (child__start(&child))
		return error__set(error, ERR_FAILED, "The child for calibration could not be started.");
	for (i = 0; i < nr; i++) {
		describe(&described[i], &sites[i], i / XP_EXIT_CLASSES, i % XP_EXIT_CLASSES);
		functions[i] = (struct xprobe_function){ first + i, "/proc/self/exe", &described[i] };
		if (measure__plain(&child, i, &plain[i]))
			goto out;
	}
	if (xprobe__attach(xprobe, child.pid, functions, nr, error))
		goto out_reported;
	for (i = 0; i < nr; i++)
		if (measure__probed(xprobe, &child, i, first + i, plain[i],
				    &calibration->costs[i / XP_EXIT_CLASSES][i % XP_EXIT_CLASSES]))
			goto out;
	calibration->valid = true;
	calibrate__apply(xprobe, calibration);
	result = 0;
out:
	if (result)
		error__set(error, ERR_FAILED, "Calibration failed: the probes did not see the calls of the agent's own child.");
out_reported:
	if (result)
		memset(calibration, 0, sizeof(*calibration));
	child__end(&child);
	xprobe__detach(xprobe);
	return result;
}

/* Two processes on one CPU that wake each other in turn: each round trip is two switches. */
static void partner__run(int in_fd, int out_fd)
{
	char byte;

	while (read(in_fd, &byte, 1) == 1 && write(out_fd, &byte, 1) == 1)
		;
	_exit(0);
}

/* Lowers best_ns to that of the least disturbed batch. */
static int switches__measure(int out_fd, int in_fd, double *best_ns)
{
	double switch_ns;
	uint64_t start;
	char byte = 0;
	int i, j;

	for (i = 0; i < SWITCH_BATCHES; i++) {
		start = clock__now_ns();
		for (j = 0; j < SWITCHES / 2; j++)
			if (write(out_fd, &byte, 1) != 1 || read(in_fd, &byte, 1) != 1)
				return -1;
		switch_ns = (double)(clock__now_ns() - start) / SWITCHES;
		if (switch_ns < *best_ns)
			*best_ns = switch_ns;
	}
	return 0;
}

int calibrate__switches(struct xprobe *xprobe, uint64_t *cost_ns, struct fn_error *error)
{
	pid_t parent = getpid(), partner = -1;
	int to[2] = { -1, -1 }, from[2] = { -1, -1 }, result = -1, i;
	cpu_set_t before, one;
	double without = 1e9, with = 1e9;

	*cost_ns = 0;
	sched_getaffinity(0, sizeof(before), &before);
	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	if (pipe(to) || pipe(from) || sched_setaffinity(0, sizeof(one), &one))
		goto out;
	partner = fork();
	if (partner < 0)
		goto out;
	if (!partner) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(1);
		close(to[1]);
		close(from[0]);
		partner__run(to[0], from[1]);
	}
	for (i = 0; i < SWITCH_ROUNDS; i++) {
		if (switches__measure(to[1], from[0], &without) ||
		    xprobe__attach_scheduler(xprobe, error) ||
		    switches__measure(to[1], from[0], &with))
			goto out;
		xprobe__detach(xprobe);
	}
	*cost_ns = with > without ? with - without : 0;
	result = 0;
out:
	xprobe__detach(xprobe);
	if (partner > 0) {
		kill(partner, SIGKILL);
		waitpid(partner, NULL, 0);
	}
	for (i = 0; i < 2; i++) {
		if (to[i] >= 0)
			close(to[i]);
		if (from[i] >= 0)
			close(from[i]);
	}
	sched_setaffinity(0, sizeof(before), &before);
	return result ? error__set(error, ERR_FAILED, "The cost of context switches could not be measured.") : 0;
}
