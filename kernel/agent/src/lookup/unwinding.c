// SPDX-License-Identifier: GPL-2.0
#include "lookup/unwinding.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "lookup/stack_proof.h"
#include "lookup/symbols.h"

#define MAX_TABLE_BYTES (128u << 20)

static const char *const libc_names[] = {
	"libc.so.6", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1",
	"libm.so.6", "libpthread.so.0", "libdl.so.2",
	"librt.so.1", "libresolv.so.2", "libutil.so.1", "libanl.so.1", "libmvec.so.1",
	"libnss_files.so.2", "libnss_dns.so.2", "libnss_compat.so.2",
};

bool is_libc(const char *path)
{
	const char *base = base_name(path);

	/* Before glibc 2.34 the files' names contain its version: libc-2.31.so. */
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

bool elf_file__is_complete(const struct elf_file *file)
{
	const Elf64_Shdr *section = elf_file__section_of_type(file, SHT_DYNAMIC);
	struct elf_bytes table = { 0 }, names = { 0 };
	bool complete = false;

	for (size_t i = 0; i < file->nr_segments && !complete; i++)
		complete = file->segments[i].p_type == PT_INTERP;
	if (!complete)		/* it is a library, which any program may load */
		return false;
	if (!section || section->sh_link >= file->nr_sections ||
	    elf_file__read_section(file, section, MAX_TABLE_BYTES, &table) ||
	    elf_file__read_section(file, &file->sections[section->sh_link], MAX_TABLE_BYTES, &names))
		complete = false;
	for (size_t at = 0; complete && table.length - at >= sizeof(Elf64_Dyn);
	     at += sizeof(Elf64_Dyn)) {
		Elf64_Dyn entry;

		memcpy(&entry, table.data + at, sizeof(entry));
		if (entry.d_tag == DT_NEEDED && (entry.d_un.d_val >= names.length ||
						 !is_libc((char *)names.data + entry.d_un.d_val)))
			complete = false;
	}
	free(table.data);
	free(names.data);
	return complete;
}

/* Whether it defines symbol versions with this prefix: its name alone proves nothing. */
static bool defines_versions(const struct elf_file *file, const char *prefix)
{
	const Elf64_Shdr *section = elf_file__section_of_type(file, SHT_GNU_verdef);
	struct elf_bytes names = { 0 };
	size_t length = strlen(prefix);
	bool found = false;

	if (!section || section->sh_link >= file->nr_sections ||
	    elf_file__read_section(file, &file->sections[section->sh_link], MAX_TABLE_BYTES, &names))
		return false;
	for (size_t at = 0; at < names.length && !found; at += strlen((char *)names.data + at) + 1)
		found = !strncmp((char *)names.data + at, prefix, length);
	free(names.data);
	return found;
}

/* Names the place of an instruction, by its function if that is known. */
static void name_place(const struct symbols *symbols, uint64_t address, char *place, size_t bytes)
{
	const struct fn_symbol *best = NULL;

	for (size_t i = 0; i < symbols->nr; i++)
		if (symbols->all[i].address <= address &&
		    (!best || symbols->all[i].address > best->address))
			best = &symbols->all[i];
	if (best && address - best->address < (best->size ? best->size : 1))
		snprintf(place, bytes, " in %.60s", best->name);
	else if (address)
		snprintf(place, bytes, " at 0x%" PRIx64, address);
	else
		place[0] = 0;
	for (char *c = place; *c; c++)
		if ((unsigned char)*c < 32 || (unsigned char)*c >= 127)
			*c = '?';
}

static int prove(const struct elf_file *file, const struct imports *imports,
		 struct file_safety *safety)
{
	struct symbols symbols = { 0 };
	struct frame_info frames = { 0 };
	struct error error = { 0 };
	struct stack_proof proof = { 0 };
	uint64_t *starts = NULL;
	char place[80];
	int err = -1;

	if (symbols__load(&symbols, file, NULL, NULL, &error) || frame_info__read(&frames, file))
		goto out;
	starts = malloc((symbols.nr + 1) * sizeof(*starts));
	if (!starts)
		goto out;
	for (size_t i = 0; i < symbols.nr; i++)
		starts[i] = symbols.all[i].address;
	err = stack_proof__examine(&proof, file, starts, symbols.nr, &frames, imports);
	safety->one_stack = !err && proof.is_one_stack;
	safety->returns = safety->one_stack && !proof.return_doubt;
	safety->writes_context = proof.context_address;
	safety->sets_filters = proof.sets_filters;
	safety->handles_signals = imports->handles_signals;
	safety->code_stays = !imports->gets_code;
	if (!proof.doubt) {
		proof.doubt = proof.return_doubt;
		proof.address = proof.return_address;
	}
	if (!err && proof.doubt) {
		name_place(&symbols, proof.address, place, sizeof(place));
		snprintf(safety->reason, sizeof(safety->reason), "%s%s", proof.doubt, place);
	}
out:
	free(starts);
	frame_info__free(&frames);
	symbols__free(&symbols);
	return err;
}

/*
 * Examines its own and imported names, and the tables that compilers write for exceptions.  Forks
 * matter because in a child the kernel goes on replacing return addresses, whatever code it loads.
 */
static void examine_names(const struct elf_file *file, const struct imports *imports,
			      struct file_safety *safety)
{
	if (!safety->returns)
		return;
	if (imports->unwinds)
		snprintf(safety->reason, sizeof(safety->reason),
			 "can unwind its stack, go on with a copy of it or go by return addresses (it has %s)",
			 imports->unwinding_name);
	else if (imports->forks)
		snprintf(safety->reason, sizeof(safety->reason),
			 "forks (it has %s), and what code a child gets is not seen in time",
			 imports->forking_name);
	else if (elf_file__section(file, ".gcc_except_table"))
		snprintf(safety->reason, sizeof(safety->reason),
			 "has tables of exception handlers, so the stack can be unwound");
	else
		return;
	safety->returns = false;
}

void elf_file__examine_safety(const struct elf_file *file, const char *path,
			      struct file_safety *safety)
{
	struct imports imports = { 0 };

	*safety = (struct file_safety){ 0 };
	if (is_libc(path) && defines_versions(file, "GLIBC_")) {
		safety->returns = safety->one_stack = safety->code_stays = true;
		return;
	}
	/* It unwinds only its own stack, and only for files that import it by name. */
	if (!strcmp(base_name(path), "libgcc_s.so.1") && defines_versions(file, "GCC_3")) {
		safety->returns = safety->one_stack = safety->code_stays = true;
		return;
	}
	if (elf_file__is_go(file)) {
		snprintf(safety->reason, sizeof(safety->reason), "is a Go program, whose stacks move");
		return;
	}
	if (imports__read(&imports, file))
		snprintf(safety->reason, sizeof(safety->reason), "has tables that can't be read");
	else if (imports.switches_stacks)
		snprintf(safety->reason, sizeof(safety->reason),
			 "uses %s, with which it can go on with another stack or load what does",
			 imports.name);
	else if (imports.taken)
		snprintf(safety->reason, sizeof(safety->reason),
			 "passes on the address of %s, with which it can make code or any system call",
			 imports.taken);
	else if (prove(file, &imports, safety))
		snprintf(safety->reason, sizeof(safety->reason), "can't be examined for lack of memory or damage");
	else
		examine_names(file, &imports, safety);
	imports__free(&imports);
}
