// SPDX-License-Identifier: GPL-2.0
#include "arch.h"
#include "lookup/imports.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/syscall.h>

#include "base/partition_point.h"
#include "base/sort.h"
#include "base/text.h"

#define MAX_TABLE_BYTES (128u << 20)
#define MAX_SLOTS 4096

/* With these a program can switch to another stack, or find functions that do so by their names. */
static const char *const switching[] = {
	"makecontext", "swapcontext", "setcontext", "getcontext", "sigaltstack", "sigstack",
	"clone", "__clone", "clone2", "clone3", "sigreturn", "personality",
	"dlopen", "dlmopen", "dlsym", "dlvsym", "__libc_dlopen_mode", "__libc_dlsym",
};

static const char *const unwinding[] = {
	"pthread_exit", "pthread_cancel", "thrd_exit", "backtrace", "dl_iterate_phdr",
	"__gxx_personality_v0", "__gcc_personality_v0", "__objc_personality_v0",
	"rust_eh_personality", "_dl_find_object", "__register_frame", "__register_frame_info",
	"__deregister_frame",
	/*
	 * By these a program can resume a stack that was copied away and back, as interpreters in
	 * plain C implement continuations.  The kernel's records of the calls are not in that copy.
	 */
	"longjmp", "_longjmp", "siglongjmp", "__longjmp_chk", "__libc_longjmp", "__libc_siglongjmp",
	/* These work with return addresses, or the places where those are. */
	"dladdr", "dladdr1", "mcount", "_mcount", "__fentry__", "__cyg_profile_func_enter",
	"__cyg_profile_func_exit",
};

/* For these the C library loads libraries of its own: name services, character sets. */
static const char *const loading[] = {
	"exec", "fexecve", "iconv_open", "getaddrinfo", "getnameinfo", "gethost", "getnet",
	"getserv", "getproto", "getrpc", "getpw", "getgr", "getsp", "getsg", "getalias",
	"initgroups", "innetgr", "setnetgrent",
};

/*
 * After these a child runs the program's own code.  After system, popen and posix_spawn it runs
 * only the C library's code until it executes another program.
 */
static const char *const forking[] = {
	"fork", "__fork", "__libc_fork", "_Fork", "vfork", "__vfork", "__libc_vfork", "daemon",
	"forkpty",
};

static const char *const harmless_cxa_names[] = {
	"__cxa_finalize", "__cxa_atexit", "__cxa_thread_atexit", "__cxa_thread_atexit_impl",
	"__cxa_at_quick_exit",
};

static const struct { const char *name; enum checked_call call; } checked[] = {
	{ "mmap", CHECKED_PROTECTION }, { "mmap64", CHECKED_PROTECTION },
	{ "mprotect", CHECKED_PROTECTION }, { "pkey_mprotect", CHECKED_PROTECTION },
	{ "shmat", CHECKED_SHM_FLAGS }, { "syscall", CHECKED_SYSTEM_CALL },
	{ "prctl", CHECKED_PRCTL },
};

static bool is_unwinding(const char *name)
{
	return !strncmp(name, "_Unwind_", 8) || is_one_of(name, unwinding) ||
	       (!strncmp(name, "__cxa_", 6) && !is_one_of(name, harmless_cxa_names));
}

static bool gets_code(const char *name)
{
	for (size_t i = 0; i < sizeof(loading) / sizeof(loading[0]); i++)
		if (!strncmp(name, loading[i], strlen(loading[i])))
			return true;
	return false;
}

static size_t checked_index(const char *name)
{
	size_t i = 0;

	while (i < sizeof(checked) / sizeof(checked[0]) && strcmp(checked[i].name, name))
		i++;
	return i;
}

#define IS_CHECKED(index) ((index) < sizeof(checked) / sizeof(checked[0]))

/*
 * System calls are allowed if they change neither the memory's protection nor the thread's stack,
 * and start no threads.  This list contains those that were checked.
 */
bool checked_call__allows(enum checked_call call, uint64_t argument)
{
	static const unsigned int harmless[] = {
		SYS_gettid, SYS_getpid, SYS_futex, SYS_getrandom, SYS_tgkill, SYS_tkill,
		SYS_getcpu, SYS_sched_getaffinity, SYS_sched_setaffinity, SYS_clock_gettime,
		SYS_ioprio_get, SYS_ioprio_set, SYS_fadvise64, SYS_copy_file_range, SYS_splice,
		SYS_statx, SYS_renameat2, SYS_openat2, SYS_close_range, SYS_pidfd_open,
		SYS_pidfd_send_signal, SYS_memfd_create, SYS_io_setup, SYS_io_submit,
		SYS_io_getevents, SYS_io_destroy, SYS_io_cancel, SYS_eventfd2, SYS_io_uring_setup,
		SYS_io_uring_enter, SYS_io_uring_register, SYS_mbind, SYS_get_mempolicy,
		SYS_set_mempolicy, SYS_move_pages, SYS_membarrier, SYS_perf_event_open, SYS_keyctl,
		SYS_add_key, SYS_request_key, SYS_capget, SYS_capset, SYS_finit_module,
		SYS_init_module, SYS_delete_module, SYS_pivot_root, SYS_readahead,
		SYS_sync_file_range, SYS_getdents64, SYS_exit_group, SYS_rt_sigqueueinfo,
	};

	switch (call) {
	case CHECKED_PROTECTION:
		return !(argument & PROT_EXEC);
	case CHECKED_SHM_FLAGS:
		return !(argument & SHM_EXEC);
	case CHECKED_SYSTEM_CALL:
		for (size_t i = 0; i < sizeof(harmless) / sizeof(harmless[0]); i++)
			if (argument == harmless[i])
				return true;
		return false;
	case CHECKED_PRCTL:
		/*
		 * With it the kernel's way back from a replaced return address would be dispatched,
		 * too.
		 */
		return (uint32_t)argument != PR_SET_SYSCALL_USER_DISPATCH;
	default:
		return true;
	}
}

bool checked_call__filters(enum checked_call call, uint64_t argument)
{
	return call == CHECKED_PRCTL && (uint32_t)argument == PR_SET_SECCOMP;
}

struct table {
	struct elf_bytes symbols, names;
};

/* The caller frees both parts of the table, also on failure. */
static int read_table(const struct elf_file *file, const Elf64_Shdr *section, struct table *table)
{
	if (section->sh_link >= file->nr_sections ||
	    elf_file__read_section(file, section, MAX_TABLE_BYTES, &table->symbols))
		return -1;
	return elf_file__read_section(file, &file->sections[section->sh_link], MAX_TABLE_BYTES,
				      &table->names);
}

static void free_table(struct table *table)
{
	free(table->symbols.data);
	free(table->names.data);
}

/* Its name without a version; false if it has none, or one longer than all names looked for. */
static bool symbol_at(const struct table *table, uint64_t index, Elf64_Sym *symbol, char name[64])
{
	const char *full;

	if (index >= table->symbols.length / sizeof(*symbol))
		return false;
	memcpy(symbol, table->symbols.data + index * sizeof(*symbol), sizeof(*symbol));
	if (symbol->st_name >= table->names.length)
		return false;
	full = (char *)table->names.data + symbol->st_name;
	if (strlen(full) >= 63)
		return false;
	strcpy(name, full);
	name[strcspn(name, "@")] = 0;
	return true;
}

/*
 * Functions that are linked into the file itself: if they switch stacks, their code shows it; if
 * they unwind, only their names do.
 */
static int note_names(struct imports *imports, const struct elf_file *file, uint32_t type)
{
	const Elf64_Shdr *section = elf_file__section_of_type(file, type);
	struct table table = { 0 };
	int err = 0;

	if (!section)
		return 0;
	err = read_table(file, section, &table);
	for (uint64_t i = 0; !err && i < table.symbols.length / sizeof(Elf64_Sym); i++) {
		Elf64_Sym symbol;
		char name[64];

		if (!symbol_at(&table, i, &symbol, name))
			continue;
		if (symbol.st_shndx == SHN_UNDEF) {
			imports->handles_signals |= !strcmp(name, "sigaction") ||
						    !strcmp(name, "__sigaction");
			imports->gets_code |= gets_code(name);
			if (is_one_of(name, forking)) {
				imports->forks = true;
				strcpy(imports->forking_name, name);
			}
		}
		if (symbol.st_shndx == SHN_UNDEF && is_one_of(name, switching)) {
			imports->switches_stacks = true;
			strcpy(imports->name, name);
		} else if (is_unwinding(name)) {
			imports->unwinds = true;
			strcpy(imports->unwinding_name, name);
		} else if (symbol.st_shndx == SHN_UNDEF && symbol.st_value &&
			   IS_CHECKED(checked_index(name))) {
			/* The file uses the function's address: that of its jump to it. */
			imports->taken = checked[checked_index(name)].name;
		}
	}
	free_table(&table);
	return err;
}

static int compare_slots(const void *a, const void *b)
{
	const struct checked_slot *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

static int note_relocations(struct imports *imports, const struct elf_file *file,
			    const Elf64_Shdr *section, const struct table *table)
{
	struct elf_bytes bytes;

	if (elf_file__read_section(file, section, MAX_TABLE_BYTES, &bytes))
		return -1;
	for (size_t at = 0; bytes.length - at >= sizeof(Elf64_Rela); at += sizeof(Elf64_Rela)) {
		struct checked_slot *grown;
		Elf64_Rela entry;
		Elf64_Sym symbol;
		char name[64];
		size_t index;

		memcpy(&entry, bytes.data + at, sizeof(entry));
		if (!symbol_at(table, ELF64_R_SYM(entry.r_info), &symbol, name))
			continue;
		index = checked_index(name);
		if (!IS_CHECKED(index))
			continue;
		if (imports->nr_slots == MAX_SLOTS || (ELF64_R_TYPE(entry.r_info) != ARCH_JUMP_SLOT &&
						       ELF64_R_TYPE(entry.r_info) != ARCH_GLOB_DAT)) {
			imports->taken = checked[index].name;
			continue;
		}
		grown = realloc(imports->slots, (imports->nr_slots + 1) * sizeof(*grown));
		if (!grown) {
			free(bytes.data);
			return -1;
		}
		imports->slots = grown;
		grown[imports->nr_slots++] = (struct checked_slot){
			entry.r_offset, checked[index].call, checked[index].name };
	}
	free(bytes.data);
	return 0;
}

int imports__read(struct imports *imports, const struct elf_file *file)
{
	const Elf64_Shdr *dynamic = elf_file__section_of_type(file, SHT_DYNSYM);
	struct table table = { 0 };
	int err = 0;

	*imports = (struct imports){ 0 };
	if (note_names(imports, file, SHT_DYNSYM) || note_names(imports, file, SHT_SYMTAB))
		return -1;
	if (!dynamic)
		return 0;
	err = read_table(file, dynamic, &table);
	for (size_t i = 0; i < file->nr_sections && !err; i++)
		if (file->sections[i].sh_type == SHT_RELA)
			err = note_relocations(imports, file, &file->sections[i], &table);
	free_table(&table);
	if (imports->nr_slots)
		sort(imports->slots, imports->nr_slots, sizeof(*imports->slots), compare_slots);
	return err;
}

void imports__free(struct imports *imports)
{
	free(imports->slots);
	*imports = (struct imports){ 0 };
}

const struct checked_slot *imports__slot(const struct imports *imports, uint64_t address)
{
	size_t at = partition_point(imports->nr_slots, i, imports->slots[i].address < address);

	return at < imports->nr_slots && imports->slots[at].address == address ? &imports->slots[at] : NULL;
}
