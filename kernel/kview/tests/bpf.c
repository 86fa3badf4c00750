// SPDX-License-Identifier: GPL-2.0
/* eBPF programs, assembled by hand: the guest has neither compiler nor libbpf. */
#define _GNU_SOURCE
#include <linux/bpf.h>
#include <sys/syscall.h>

#include "harness.h"

#define INSN(c, d, s, o, i) \
	((struct bpf_insn){ .code = (c), .dst_reg = (d), .src_reg = (s), .off = (o), .imm = (i) })
#define MOV_K(d, i)	INSN(BPF_ALU64 | BPF_MOV | BPF_K, d, 0, 0, i)
#define MOV_X(d, s)	INSN(BPF_ALU64 | BPF_MOV | BPF_X, d, s, 0, 0)
#define CALL(f)		INSN(BPF_JMP | BPF_CALL, 0, 0, 0, f)
#define EXIT()		INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)

/* newer than the headers of the oldest supported build host */
#define ATTACH_KPROBE_MULTI	42
#define FUNC_GET_ATTACH_COOKIE	174
#define FUNC_GET_FUNC_IP	173
#define FUNC_OVERRIDE_RETURN	58

static int bpf(int cmd, union bpf_attr *attr)
{
	return syscall(SYS_bpf, cmd, attr, sizeof(*attr));
}

static char log[1 << 18];

static int try_load(int type, int expected_attach, const struct bpf_insn *insn, size_t n)
{
	union bpf_attr attr = {
		.prog_type = type,
		.expected_attach_type = expected_attach,
		.insns = (uintptr_t)insn,
		.insn_cnt = n,
		.license = (uintptr_t)"GPL",
		.log_buf = (uintptr_t)log,
		.log_size = sizeof(log),
		.log_level = 1,
	};

	return bpf(BPF_PROG_LOAD, &attr);
}

static int load(int type, int expected_attach, const struct bpf_insn *insn, size_t n)
{
	int fd = try_load(type, expected_attach, insn, n);

	if (fd < 0)
		fail(__FILE__, __LINE__, "program rejected: %s\n%s", strerror(errno), log);
	return fd;
}

int bpf_map(void)
{
	union bpf_attr attr = {
		.map_type = BPF_MAP_TYPE_ARRAY,
		.key_size = 4,
		.value_size = 8,
		.max_entries = 1,
	};
	int fd = bpf(BPF_MAP_CREATE, &attr);

	CHECK(fd >= 0);
	return fd;
}

uint64_t bpf_map_get(int map)
{
	uint64_t value = 0;
	uint32_t key = 0;
	union bpf_attr attr = {
		.map_fd = map,
		.key = (uintptr_t)&key,
		.value = (uintptr_t)&value,
	};

	CHECK(!bpf(BPF_MAP_LOOKUP_ELEM, &attr));
	return value;
}

/* BPF_PAGE bytes of the kernel's memory, as who is in no view sees it, where there is no /proc/kcore. */
void bpf_read_kernel(unsigned long addr, void *to)
{
	static int map = -1, prog = -1;
	uint64_t args[1] = { addr };
	uint32_t key = 0;
	union bpf_attr make = {
		.map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = BPF_PAGE, .max_entries = 1,
	}, run = { 0 }, get = { 0 };

	if (prog < 0) {
		map = bpf(BPF_MAP_CREATE, &make);
		CHECK(map >= 0);
		const struct bpf_insn insn[] = {
			INSN(BPF_LDX | BPF_MEM | BPF_DW, 6, 1, 0, 0),
			INSN(BPF_ST | BPF_MEM | BPF_W, 10, 0, -4, 0),
			MOV_X(2, 10),
			INSN(BPF_ALU64 | BPF_ADD | BPF_K, 2, 0, 0, -4),
			INSN(BPF_LD | BPF_DW | BPF_IMM, 1, BPF_PSEUDO_MAP_FD, 0, map),
			INSN(0, 0, 0, 0, 0),
			CALL(BPF_FUNC_map_lookup_elem),
			INSN(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 4, 0),
			MOV_X(1, 0),
			MOV_K(2, BPF_PAGE),
			MOV_X(3, 6),
			CALL(BPF_FUNC_probe_read_kernel),
			EXIT(),
		};
		prog = load(BPF_PROG_TYPE_RAW_TRACEPOINT, 0, insn, ARRAY_SIZE(insn));
	}
	run.test.prog_fd = prog;
	run.test.ctx_in = (uintptr_t)args;
	run.test.ctx_size_in = sizeof(args);
	CHECK(!bpf(BPF_PROG_TEST_RUN, &run) && !run.test.retval);
	get.map_fd = map;
	get.key = (uintptr_t)&key;
	get.value = (uintptr_t)to;
	CHECK(!bpf(BPF_MAP_LOOKUP_ELEM, &get));
}

int bpf_prog_empty(int type)
{
	const struct bpf_insn insn[] = { MOV_K(0, 0), EXIT() };

	return load(type, 0, insn, ARRAY_SIZE(insn));
}

/* Adds r7 to the map's value. */
static size_t add_r7(struct bpf_insn *p, int map)
{
	size_t n = 0;

	p[n++] = INSN(BPF_ST | BPF_MEM | BPF_W, 10, 0, -4, 0);
	p[n++] = MOV_X(2, 10);
	p[n++] = INSN(BPF_ALU64 | BPF_ADD | BPF_K, 2, 0, 0, -4);
	p[n++] = INSN(BPF_LD | BPF_DW | BPF_IMM, 1, BPF_PSEUDO_MAP_FD, 0, map);
	p[n++] = INSN(0, 0, 0, 0, 0);
	p[n++] = CALL(BPF_FUNC_map_lookup_elem);
	p[n++] = INSN(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1, 0);
	p[n++] = INSN(BPF_STX | BPF_ATOMIC | BPF_DW, 0, 7, 0, BPF_ADD);
	p[n++] = MOV_K(0, 0);
	p[n++] = EXIT();
	return n;
}

/* Counts calls; with a pid, only those of that process (in-eBPF filtering). */
int bpf_prog_count(int type, int map, int only_pid)
{
	struct bpf_insn p[32];
	size_t n = 0;

	if (only_pid) {
		p[n++] = CALL(BPF_FUNC_get_current_pid_tgid);
		p[n++] = INSN(BPF_ALU64 | BPF_RSH | BPF_K, 0, 0, 0, 32);
		p[n++] = INSN(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 2, only_pid);
		p[n++] = MOV_K(0, 0);
		p[n++] = EXIT();
	}
	p[n++] = MOV_K(7, 1);
	n += add_r7(p + n, map);
	return load(type, 0, p, n);
}

/* On sys_enter: counts the calls of one system call. */
int bpf_prog_count_syscall(int map, int nr)
{
	struct bpf_insn p[32];
	size_t n = 0;

	p[n++] = INSN(BPF_LDX | BPF_MEM | BPF_DW, 7, 1, 8, 0);
	p[n++] = INSN(BPF_JMP | BPF_JEQ | BPF_K, 7, 0, 2, nr);
	p[n++] = MOV_K(0, 0);
	p[n++] = EXIT();
	p[n++] = MOV_K(7, 1);
	n += add_r7(p + n, map);
	return load(BPF_PROG_TYPE_RAW_TRACEPOINT, 0, p, n);
}

static int sum_result(int func, int map)
{
	struct bpf_insn p[32];
	size_t n = 0;

	p[n++] = CALL(func);
	p[n++] = MOV_X(7, 0);
	n += add_r7(p + n, map);
	return load(BPF_PROG_TYPE_KPROBE, 0, p, n);
}

int bpf_prog_sum_cookies(int map)
{
	return sum_result(FUNC_GET_ATTACH_COOKIE, map);
}

int bpf_prog_sum_func_ip(int map)
{
	return sum_result(FUNC_GET_FUNC_IP, map);
}

/* Sums up one address, the i-th, of the stack that the program sees. */
int bpf_prog_sum_stack(int type, int map, int i)
{
	struct bpf_insn p[32];
	size_t n = 0;

	p[n++] = MOV_X(2, 10);
	p[n++] = INSN(BPF_ALU64 | BPF_ADD | BPF_K, 2, 0, 0, -72);
	p[n++] = MOV_K(3, 64);
	p[n++] = MOV_K(4, 0);
	p[n++] = CALL(BPF_FUNC_get_stack);
	p[n++] = INSN(BPF_LDX | BPF_MEM | BPF_DW, 7, 10, -72 + 8 * i, 0);
	n += add_r7(p + n, map);
	return load(type, 0, p, n);
}

/* Calls copy_from_kernel_nofault(), once. */
int bpf_prog_read_kernel(void)
{
	struct bpf_insn p[32];
	size_t n = 0;

	p[n++] = MOV_X(3, 1);
	p[n++] = MOV_X(1, 10);
	p[n++] = INSN(BPF_ALU64 | BPF_ADD | BPF_K, 1, 0, 0, -8);
	p[n++] = MOV_K(2, 8);
	p[n++] = CALL(BPF_FUNC_probe_read_kernel);
	p[n++] = MOV_K(0, 0);
	p[n++] = EXIT();
	return load(BPF_PROG_TYPE_KPROBE, 0, p, n);
}

/* Sums up what stands at an offset of a program's context. */
static int sum_context(int type, int size, int off, int map)
{
	struct bpf_insn p[32];
	size_t n = 0;

	p[n++] = INSN(BPF_LDX | BPF_MEM | size, 7, 1, off, 0);
	n += add_r7(p + n, map);
	return load(type, 0, p, n);
}

/* Sums up one register of the context of a kprobe program. */
int bpf_prog_sum_reg(int map, int ctx_off)
{
	return sum_context(BPF_PROG_TYPE_KPROBE, BPF_DW, ctx_off, map);
}

/* Sums up one 8-byte word of the context of a raw tracepoint program. */
int bpf_prog_sum_arg(int map, int ctx_off)
{
	return sum_context(BPF_PROG_TYPE_RAW_TRACEPOINT, BPF_DW, ctx_off, map);
}

/* Sums up four bytes of a trace event's record. */
int bpf_prog_sum_record(int map, int off)
{
	return sum_context(BPF_PROG_TYPE_TRACEPOINT, BPF_W, off, map);
}

/* Counts the events whose kernel stack could be had: helpers look for registers in the record. */
int bpf_prog_stack(int map)
{
	struct bpf_insn p[32];
	size_t n = 0;

	p[n++] = MOV_X(2, 10);
	p[n++] = INSN(BPF_ALU64 | BPF_ADD | BPF_K, 2, 0, 0, -64);
	p[n++] = MOV_K(3, 56);
	p[n++] = MOV_K(4, 0);
	p[n++] = CALL(BPF_FUNC_get_stack);
	p[n++] = MOV_K(7, 1);
	/* two levels at least */
	p[n++] = INSN(BPF_JMP | BPF_JSGE | BPF_K, 0, 0, 2, 16);
	p[n++] = MOV_K(0, 0);
	p[n++] = EXIT();
	n += add_r7(p + n, map);
	return load(BPF_PROG_TYPE_TRACEPOINT, 0, p, n);
}

/* Counts calls by threads that have the flag SYSCALL_WORK_SYSCALL_TRACEPOINT. */
int bpf_prog_sum_flag(int map)
{
	struct bpf_insn p[32];
	size_t n = 0;

	p[n++] = CALL(BPF_FUNC_get_current_task);
	p[n++] = MOV_X(3, 0);
	p[n++] = INSN(BPF_ALU64 | BPF_ADD | BPF_K, 3, 0, 0, 8);	/* thread_info.syscall_work */
	p[n++] = MOV_K(2, 8);
	p[n++] = MOV_X(1, 10);
	p[n++] = INSN(BPF_ALU64 | BPF_ADD | BPF_K, 1, 0, 0, -16);
	p[n++] = CALL(BPF_FUNC_probe_read_kernel);
	p[n++] = INSN(BPF_LDX | BPF_MEM | BPF_DW, 7, 10, -16, 0);
	p[n++] = INSN(BPF_ALU64 | BPF_RSH | BPF_K, 7, 0, 0, 1);
	p[n++] = INSN(BPF_ALU64 | BPF_AND | BPF_K, 7, 0, 0, 1);
	n += add_r7(p + n, map);
	return load(BPF_PROG_TYPE_KPROBE, 0, p, n);
}

/* Copies two mebibytes onto themselves, often enough that QEMU gives other CPUs a turn. */
int bpf_prog_slow(void)
{
	enum { SIZE = 2 << 20, TIMES = 100 };
	union bpf_attr attr = {
		.map_type = BPF_MAP_TYPE_ARRAY,
		.key_size = 4,
		.value_size = SIZE,
		.max_entries = 1,
	};
	int map = bpf(BPF_MAP_CREATE, &attr), i;
	struct bpf_insn p[16 + 4 * TIMES];
	size_t n = 0;

	CHECK(map >= 0);
	p[n++] = INSN(BPF_ST | BPF_MEM | BPF_W, 10, 0, -4, 0);
	p[n++] = MOV_X(2, 10);
	p[n++] = INSN(BPF_ALU64 | BPF_ADD | BPF_K, 2, 0, 0, -4);
	p[n++] = INSN(BPF_LD | BPF_DW | BPF_IMM, 1, BPF_PSEUDO_MAP_FD, 0, map);
	p[n++] = INSN(0, 0, 0, 0, 0);
	p[n++] = CALL(BPF_FUNC_map_lookup_elem);
	p[n++] = INSN(BPF_JMP | BPF_JNE | BPF_K, 0, 0, 2, 0);
	p[n++] = MOV_K(0, 0);
	p[n++] = EXIT();
	p[n++] = MOV_X(6, 0);
	for (i = 0; i < TIMES; i++) {
		p[n++] = MOV_X(1, 6);
		p[n++] = MOV_K(2, SIZE);
		p[n++] = MOV_X(3, 6);
		p[n++] = CALL(BPF_FUNC_probe_read_kernel);
	}
	p[n++] = MOV_K(0, 0);
	p[n++] = EXIT();
	return load(BPF_PROG_TYPE_KPROBE, 0, p, n);
}

/* As for uprobes, which may take page faults. */
int bpf_prog_sleepable(void)
{
	const struct bpf_insn insn[] = { MOV_K(0, 0), EXIT() };
	union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_KPROBE,
		.prog_flags = BPF_F_SLEEPABLE,
		.insns = (uintptr_t)insn,
		.insn_cnt = ARRAY_SIZE(insn),
		.license = (uintptr_t)"GPL",
	};
	int fd = bpf(BPF_PROG_LOAD, &attr);

	CHECK(fd >= 0);
	return fd;
}

int bpf_prog_kprobe_multi(void)
{
	const struct bpf_insn insn[] = { MOV_K(0, 0), EXIT() };

	return load(BPF_PROG_TYPE_KPROBE, ATTACH_KPROBE_MULTI, insn, ARRAY_SIZE(insn));
}

/* -1 on a kernel that has no such thing. */
int bpf_prog_override(void)
{
	const struct bpf_insn insn[] = {
		MOV_K(2, 0), CALL(FUNC_OVERRIDE_RETURN), MOV_K(0, 0), EXIT(),
	};

	return try_load(BPF_PROG_TYPE_KPROBE, 0, insn, ARRAY_SIZE(insn));
}

int bpf_raw_tracepoint_attach(const char *name, int prog)
{
	union bpf_attr attr = {
		.raw_tracepoint = { .name = (uintptr_t)name, .prog_fd = prog },
	};
	int fd = bpf(BPF_RAW_TRACEPOINT_OPEN, &attr);

	CHECK(fd >= 0);
	return fd;
}

/* The end of union bpf_attr as BPF_LINK_CREATE of kprobe_multi reads it. */
struct link_create_multi {
	uint32_t prog_fd, target_fd, attach_type, flags;
	uint32_t multi_flags, cnt;
	uint64_t syms, addrs, cookies;
};

int bpf_kprobe_multi_attach(const uint64_t *addrs, uint32_t n, int prog)
{
	struct link_create_multi attr = {
		.prog_fd = prog,
		.attach_type = ATTACH_KPROBE_MULTI,
		.cnt = n,
		.addrs = (uintptr_t)addrs,
	};

	return syscall(SYS_bpf, BPF_LINK_CREATE, &attr, sizeof(attr));
}
