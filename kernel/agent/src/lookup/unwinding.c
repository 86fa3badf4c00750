// SPDX-License-Identifier: GPL-2.0
#include "unwinding.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "process_files.h"

#define MAX_TABLE_BYTES (128u << 20)

/* Whoever has one of these can unwind, switch stacks, or load what does. */
static const char *const dangerous_names[] = {
	"pthread_exit", "pthread_cancel", "thrd_exit", "makecontext", "swapcontext", "setcontext",
	"dlopen", "dlmopen", "dl_iterate_phdr", "__gxx_personality_v0", "__gcc_personality_v0",
	"__objc_personality_v0", "rust_eh_personality", "_dl_find_object", "__deregister_frame",
};

static const char *const harmless_cxa_names[] = {
	"__cxa_finalize", "__cxa_atexit", "__cxa_thread_atexit", "__cxa_thread_atexit_impl",
	"__cxa_at_quick_exit",
};

static const char *const libc_names[] = {
	"libc.so.6", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1",
	"libm.so.6", "libpthread.so.0", "libdl.so.2",
	"librt.so.1", "libresolv.so.2", "libutil.so.1", "libanl.so.1", "libmvec.so.1",
	"libnss_files.so.2", "libnss_dns.so.2", "libnss_compat.so.2",
};

static bool is_among(const char *name, const char *const *names, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

#define is_one_of(name, names) is_among(name, names, sizeof(names) / sizeof((names)[0]))

bool is_libc(const char *path)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;

	/* Before glibc 2.34 the files have its version: libc-2.31.so. */
	return is_one_of(base, libc_names) || !strncmp(base, "libc-2.", 7) ||
	       !strncmp(base, "ld-2.", 5) || !strncmp(base, "libpthread-2.", 13) ||
	       !strncmp(base, "libm-2.", 7) || !strncmp(base, "libdl-2.", 8) ||
	       !strncmp(base, "librt-2.", 8);
}

bool function__uses_return_address(const char *symbol)
{
	static const char *const names[] = {
		"setjmp", "_setjmp", "__sigsetjmp", "sigsetjmp", "longjmp", "siglongjmp",
		"_longjmp", "__libc_longjmp", "__libc_siglongjmp", "getcontext", "setcontext",
		"swapcontext", "makecontext", "vfork", "__vfork", "__libc_vfork", "clone",
		"__clone",
		"clone3", "__clone3", "dlopen", "dlmopen", "dlsym", "dlvsym", "dladdr",
		"__libc_dlopen_mode", "__libc_dlsym", "mcount", "_mcount", "__fentry__",
		"_dl_runtime_resolve", "__cyg_profile_func_enter", "__cyg_profile_func_exit",
		"__sigreturn", "__restore_rt", "backtrace", "__backtrace", "_start",
	};

	return is_one_of(symbol, names);
}

bool elf_file__is_go(const struct elf_file *file)
{
	return elf_file__section(file, ".gopclntab") || elf_file__section(file, ".go.buildinfo") ||
	       elf_file__section(file, ".note.go.buildid");
}

static bool is_dangerous(const char *name)
{
	return !strncmp(name, "_Unwind_", 8) || is_one_of(name, dangerous_names) ||
	       (!strncmp(name, "__cxa_", 6) && !is_one_of(name, harmless_cxa_names));
}

/* A section and the strings that belong to it, both the caller's also on failure. */
static int read_table(const struct elf_file *file, const Elf64_Shdr *section,
		      struct elf_bytes *table, struct elf_bytes *names)
{
	if (!section || section->sh_link >= file->nr_sections ||
	    elf_file__read_section(file, section, MAX_TABLE_BYTES, table))
		return -1;
	return elf_file__read_section(file, &file->sections[section->sh_link], MAX_TABLE_BYTES,
				      names);
}

/* Imported or its own, all names count: a static program imports nothing. */
static bool has_dangerous_names(const struct elf_file *file, uint32_t type)
{
	const Elf64_Shdr *section = elf_file__section_of_type(file, type);
	bool dangerous = true, jumps = false, has_signal_stack = false;
	struct elf_bytes table = { 0 }, names = { 0 };

	if (!section)
		return false;
	if (read_table(file, section, &table, &names))
		goto out;
	for (size_t at = 0; table.length - at >= sizeof(Elf64_Sym); at += sizeof(Elf64_Sym)) {
		Elf64_Sym symbol;
		const char *name;
		char plain[64];

		memcpy(&symbol, table.data + at, sizeof(symbol));
		if (symbol.st_name >= names.length)
			continue;
		name = (char *)names.data + symbol.st_name;
		if (strlen(name) >= sizeof(plain) - 1)
			continue;
		strcpy(plain, name);
		plain[strcspn(plain, "@")] = 0;
		if (is_dangerous(plain))
			goto out;
		jumps |= strstr(plain, "longjmp") != NULL;
		has_signal_stack |= !strcmp(plain, "sigaltstack");
	}
	/* Both together make coroutines; a longjmp down the same stack does no harm. */
	dangerous = jumps && has_signal_stack;
out:
	free(table.data);
	free(names.data);
	return dangerous;
}

static bool needs_unknown_libraries(const struct elf_file *file)
{
	const Elf64_Shdr *section = elf_file__section_of_type(file, SHT_DYNAMIC);
	struct elf_bytes table = { 0 }, names = { 0 };
	bool unknown = true;

	if (read_table(file, section, &table, &names))
		goto out;
	for (size_t at = 0; table.length - at >= sizeof(Elf64_Dyn); at += sizeof(Elf64_Dyn)) {
		Elf64_Dyn entry;

		memcpy(&entry, table.data + at, sizeof(entry));
		if (entry.d_tag == DT_NEEDED && (entry.d_un.d_val >= names.length ||
						 !is_libc((char *)names.data + entry.d_un.d_val)))
			goto out;
	}
	unknown = false;
out:
	free(table.data);
	free(names.data);
	return unknown;
}

static bool has_interpreter(const struct elf_file *file)
{
	for (size_t i = 0; i < file->nr_segments; i++)
		if (file->segments[i].p_type == PT_INTERP)
			return true;
	return false;
}

bool elf_file__leaves_returns_alone(const struct elf_file *file, bool alone)
{
	bool has_symbols = elf_file__section_of_type(file, SHT_SYMTAB);
	bool is_dynamic = elf_file__section_of_type(file, SHT_DYNSYM);

	if ((!has_symbols && !is_dynamic) || elf_file__is_go(file) ||
	    elf_file__section(file, ".gcc_except_table"))
		return false;
	if (alone) {
		/* A library alone may be loaded by anything. */
		if (is_dynamic && (!has_interpreter(file) || needs_unknown_libraries(file)))
			return false;
	}
	return !has_dangerous_names(file, SHT_DYNSYM) && !has_dangerous_names(file, SHT_SYMTAB);
}

bool fn_process_allows_uretprobes(pid_t pid)
{
	struct process_files files;
	struct fn_error error;
	bool allows;

	if (process_files__read(&files, pid, &error))
		return false;
	allows = !files.has_anonymous_code && files.nr;
	for (size_t i = 0; i < files.nr && allows; i++) {
		const struct mapped_file *mapped = &files.all[i];
		struct elf_file file;
		char *path;

		if (!mapped->is_executable || is_libc(mapped->path))
			continue;
		path = mapped_file__open_path(mapped, pid);
		allows = path && !elf_file__open(&file, path, mapped->path, &error) &&
			 elf_file__leaves_returns_alone(&file, false);
		if (path)
			elf_file__close(&file);
		free(path);
	}
	process_files__free(&files);
	return allows;
}
