// SPDX-License-Identifier: GPL-2.0
#include "flow/functions.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/partition_point.h"
#include "base/rights.h"
#include "base/sort.h"

#define TRACEABLE	"available_filter_functions"
#define PREFIX		"__x64_sys_"

/*
 * What the eBPF programs call, or the module around them: each such call would be turned away as one within a program, and
 * counted as lost.  Among it what reads the clock, of each source of it that there is.  And interrupts' ways in and out, which begin as the thread's and end as the interrupt's, or the
 * other way round; they run on a stack of their own.
 */
static const char *const left_out[] = {
	"__do_softirq", "__irq_exit_rcu", "acpi_pm_read", "acpi_pm_read_slow", "bpf_get_current_task",
	"bpf_get_current_task_btf", "bpf_ktime_get_ns", "bpf_probe_read_kernel", "bpf_task_pt_regs",
	"copy_from_kernel_nofault", "copy_from_kernel_nofault_allowed", "handle_softirqs", "idle_cpu", "irq_enter",
	"irq_enter_rcu", "irq_exit", "irq_exit_rcu", "jiffies_read", "ktime_get_mono_fast_ns", "kvm_clock_get_cycles",
	"kvm_clock_read", "kvm_sched_clock_read", "load_new_mm_cr3", "pvclock_clocksource_read", "pvclock_clocksource_read_nowd", "read_hpet",
	"read_hv_clock_msr", "read_hv_clock_msr_cs", "read_hv_clock_tsc", "read_hv_clock_tsc_cs", "read_tsc",
	"sched_core_idle_cpu", "switch_mm_irqs_off", "tick_irq_exit", "tick_nohz_irq_exit", "xen_clocksource_get_cycles",
	"xen_clocksource_read",
};

/* Where the kernel's table names another function than the manual does. */
static const char *const other_names[][2] = {
	{ "fstat", "newfstat" }, { "lstat", "newlstat" }, { "sendfile", "sendfile64" }, { "stat", "newstat" },
	{ "umount2", "umount" }, { "uname", "newuname" },
};

struct traceable {
	char **all;	/* ascending */
	size_t nr;
};

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_among(const char *name, const char *const *all, size_t nr)
{
	return bsearch(&name, all, nr, sizeof(*all), compare);
}

static FILE *traceable__open(void)
{
	FILE *file;

	rights__lower();
	file = fopen("/sys/kernel/tracing/" TRACEABLE, "re");
	if (!file)
		file = fopen("/sys/kernel/debug/tracing/" TRACEABLE, "re");
	rights__restore();
	return file;
}

static int traceable__add(struct traceable *t, const char *name, size_t *room)
{
	char **more;

	if (t->nr == *room) {
		*room = *room ? 2 * *room : 65536;
		more = realloc(t->all, *room * sizeof(*more));
		if (!more)
			return -1;
		t->all = more;
	}
	t->all[t->nr] = strdup(name);
	return t->all[t->nr++] ? 0 : -1;
}

static void traceable__free(struct traceable *t)
{
	while (t->nr)
		free(t->all[--t->nr]);
	free(t->all);
}

/* "vfs_read", or "ext4_sync_file [ext4]": a view has the image's alone.  Empty where the file can't be read. */
static int traceable__read(struct traceable *t)
{
	FILE *file = traceable__open();
	char line[1024], name[512], module[2];
	size_t room = 0;
	int failed = 0;

	while (file && !failed && fgets(line, sizeof(line), file))
		if (sscanf(line, "%511s %1s", name, module) == 1)
			failed = traceable__add(t, name, &room);
	if (file)
		fclose(file);
	sort(t->all, t->nr, sizeof(*t->all), compare);
	return failed;
}

/* Padding before functions, and parts of them that are no functions, have symbols, too. */
static bool is_function(const char *name)
{
	return strncmp(name, "__pfx_", 6) && strncmp(name, "__cfi_", 6) && !strstr(name, ".cold");
}

static void functions__add(struct flow_functions *f, const struct traceable *t, const struct kernel_name *name)
{
	if (t->nr ? !is_among(name->name, (const char *const *)t->all, t->nr) : !is_function(name->name))
		return;
	if (is_among(name->name, left_out, sizeof(left_out) / sizeof(*left_out))) {
		f->left_out++;
		return;
	}
	if (f->nr && f->addresses[f->nr - 1] == name->address)
		return;
	f->addresses[f->nr] = name->address;
	f->symbols[f->nr++] = name->name;
}

/* Modules' functions have symbols, too. */
static void image__ends(const struct kernel_names *names, uint64_t *begin, uint64_t *end)
{
	size_t i;

	*begin = 0;
	*end = UINT64_MAX;
	for (i = 0; i < names->nr; i++) {
		if (!strcmp(names->all[i].name, "_stext"))
			*begin = names->all[i].address;
		if (!strcmp(names->all[i].name, "_etext"))
			*end = names->all[i].address;
	}
}

int flow_functions__read(struct flow_functions *f, struct error *error)
{
	struct traceable t = { 0 };
	uint64_t begin, end;
	size_t i;

	*f = (struct flow_functions){ 0 };
	kernel_names__read(&f->names);
	if (!f->names.nr)
		return error__set(error, ERR_UNSUPPORTED,
				  "The kernel does not show where its functions are (/proc/kallsyms): set kernel.kptr_restrict to 1 or 0.");
	f->addresses = malloc(f->names.nr * sizeof(*f->addresses));
	f->symbols = malloc(f->names.nr * sizeof(*f->symbols));
	if (!f->addresses || !f->symbols || traceable__read(&t)) {
		traceable__free(&t);
		return error__set(error, ERR_FAILED, "Out of memory.");
	}
	image__ends(&f->names, &begin, &end);
	for (i = 0; i < f->names.nr; i++)
		if (f->names.all[i].address >= begin && f->names.all[i].address < end)
			functions__add(f, &t, &f->names.all[i]);
	f->traceable = t.nr;
	traceable__free(&t);
	return 0;
}

void flow_functions__free(struct flow_functions *f)
{
	kernel_names__free(&f->names);
	free(f->addresses);
	free(f->symbols);
	*f = (struct flow_functions){ 0 };
}

/* The function at this address. */
static size_t functions__at(const struct flow_functions *f, uint64_t address)
{
	size_t at = partition_point(f->nr, i, f->addresses[i] < address);

	return at < f->nr && f->addresses[at] == address ? at : FLOW_NO_FUNCTION;
}

/* Of a system call without arguments this name is a second one of its function: "__do_sys_sched_yield". */
size_t flow_functions__find_root(struct flow_functions *f, const char *name)
{
	size_t root, i;

	for (i = 0; i < f->names.nr; i++) {
		if (strcmp(f->names.all[i].name, name))
			continue;
		root = functions__at(f, f->names.all[i].address);
		if (root != FLOW_NO_FUNCTION)
			f->symbols[root] = f->names.all[i].name;
		return root;
	}
	return FLOW_NO_FUNCTION;
}

size_t flow_functions__find(const struct flow_functions *f, const char *name)
{
	size_t length = strlen(name), i;

	for (i = 0; i < f->nr; i++)
		if (!strncmp(f->symbols[i], name, length) && (!f->symbols[i][length] || f->symbols[i][length] == '.'))
			return i;
	return FLOW_NO_FUNCTION;
}

char *flow_root__symbol(const char *system_call, char *symbol, size_t size)
{
	size_t i;

	for (i = 0; i < sizeof(other_names) / sizeof(*other_names); i++)
		if (!strcmp(other_names[i][0], system_call))
			system_call = other_names[i][1];
	snprintf(symbol, size, PREFIX "%s", system_call);
	return symbol;
}
