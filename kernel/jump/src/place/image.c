// SPDX-License-Identifier: GPL-2.0
#include "place/image.h"

#include <stdlib.h>
#include <string.h>

int image__init(struct image *image, uint64_t address, size_t code_bytes)
{
	*image = (struct image){ .address = address };
	image->code = (struct emitter){
		.bytes = malloc(code_bytes), .room = code_bytes, .address = address + JUMP_CONTROL_BYTES,
	};
	if (!image->code.bytes)
		return -1;
	/* A breakpoint wherever nothing is. */
	memset(image->code.bytes, 0xcc, code_bytes);
	emit__bytes(&image->code, jump_stamps_start, jump_stamps_end - jump_stamps_start);
	image->code.nr = JUMP_PAGE;
	return image->code.failed ? -1 : 0;
}

void image__free(struct image *image)
{
	free(image->code.bytes);
	free(image->patches);
	*image = (struct image){ 0 };
}

static struct image_patch *new_patch(struct image *image)
{
	if (image->nr == image->room) {
		size_t room = image->room ? 2 * image->room : 16;
		struct image_patch *grown = realloc(image->patches, room * sizeof(*grown));

		if (!grown)
			return NULL;
		image->patches = grown;
		image->room = room;
	}
	image->patches[image->nr] = (struct image_patch){ 0 };
	return &image->patches[image->nr++];
}

static uint64_t stamp(const struct image *image, const uint8_t *which)
{
	return image->code.address + (which - jump_stamps_start);
}

static uint64_t here(const struct image *image)
{
	return image->code.address + image->code.nr;
}

/* An end that is taken only if the flags say so: the stamp comes after that is known. */
static void emit_conditional_end(struct image *image, uint32_t function, const struct code_insn *insn,
				 uint64_t bias)
{
	struct emitter *code = &image->code;
	struct emitter behind;
	size_t unless = code->nr;

	relocate__unless(code, insn->condition, here(image));
	emit__stamp(code, stamp(image, jump_stamp_end), function, 0);
	emit__jump(code, insn->target + bias);
	if (code->failed)
		return;
	/* Once more, now that it is known where it leads. */
	behind = *code;
	behind.nr = unless;
	relocate__unless(&behind, insn->condition, here(image));
}

static void emit_insn(struct image *image, uint32_t function, const struct code *code,
		      const struct code_insn *insn, uint64_t bias)
{
	size_t left;
	const uint8_t *bytes = code__bytes(code, insn->address, &left);

	if (code__is_way_out(code, insn)) {
		if (insn->kind == CODE_JUMP_COND) {
			emit_conditional_end(image, function, insn, bias);
			return;
		}
		emit__stamp(&image->code, stamp(image, jump_stamp_end), function, 0);
	}
	relocate__insn(&image->code, bytes, left, insn->address + bias);
}

/* Written in one go, whatever happens to the writer. */
static bool is_in_one_page(uint64_t address)
{
	return address / JUMP_PAGE == (address + JUMP_BYTES - 1) / JUMP_PAGE;
}

/* All before the last. */
static bool is_taken(const struct image *image, const struct image_patch *last)
{
	for (const struct image_patch *patch = image->patches; patch < last; patch++)
		if (last->address < patch->address + patch->bytes && patch->address < last->address + last->bytes)
			return true;
	return false;
}

static bool runs_on(const struct code_insn *insn)
{
	return insn->kind == CODE_PLAIN || insn->kind == CODE_PADDING || insn->kind == CODE_JUMP_COND;
}

static bool add_window(struct image *image, uint32_t function, const struct plan *plan, const struct plan_window *window,
		       const struct code *code, uint64_t bias)
{
	struct image_patch *patch = new_patch(image);
	size_t left;
	const uint8_t *bytes = code__bytes(code, window->start, &left);
	uint64_t unused;

	if (!patch || !bytes || !elf_file__offset_of(code->file, window->start, true, &patch->file_offset, &unused))
		return false;
	patch->address = window->start + bias;
	patch->function = function;
	patch->bytes = window->bytes;
	patch->kept = window->is_entry ? plan->kept : 0;
	if (!is_in_one_page(patch->address) || is_taken(image, patch))
		return false;
	/* The last of them may be a filler behind the function. */
	if (!elf_file__read_at(code->file, window->start, patch->file, window->bytes) ||
	    !jump__encode(patch->is, patch->address, here(image)))
		return false;
	memcpy(patch->was, patch->file, JUMP_BYTES);
	for (uint32_t i = 0; i < window->nr; i++) {
		const struct code_insn *insn = &code->insns[window->first + i];

		patch->offset[i] = insn->address - window->start;
		patch->copy[i] = here(image);
		if (!i && window->is_entry)
			emit__stamp(&image->code, stamp(image, jump_stamp_entry), function, plan->pushed);
		emit_insn(image, function, code, insn, bias);
	}
	patch->nr = window->nr;
	patch->behind = here(image);
	if (runs_on(&code->insns[window->first + window->nr - 1]))
		emit__jump(&image->code, window->start + window->bytes + bias);
	return !image->code.failed;
}

/* What is noted of a window: its entry, and the list of copies. */
static size_t record_of(const struct image_patch *patch)
{
	return sizeof(struct jump_record_entry) + (patch->nr + 1) * sizeof(struct jump_copy);
}

static bool add_windows(struct image *image, uint32_t function, const struct plan *plan, const struct code *code, uint64_t bias)
{
	for (size_t i = 0; i < plan->nr; i++)
		if (!add_window(image, function, plan, &plan->windows[i], code, bias))
			return false;
	return true;
}

int image__add(struct image *image, uint32_t function, const struct plan *plan, const struct code *code,
	       uint64_t bias)
{
	size_t patches = image->nr, bytes = image->code.nr, recorded = image->recorded;

	if (add_windows(image, function, plan, code, bias)) {
		for (size_t i = patches; i < image->nr; i++)
			image->recorded += record_of(&image->patches[i]);
		if (image->code.room - image->code.nr >= image->recorded)
			return 0;
	}
	image->nr = patches;
	memset(image->code.bytes + bytes, 0xcc, image->code.nr - bytes);
	image->code.nr = bytes;
	image->code.failed = false;
	image->recorded = recorded;
	return -1;
}

/* A jump to what comes next, as to a stub and back. */
static void emit_jump_on(struct image *image)
{
	emit__jump(&image->code, here(image) + JUMP_BYTES);
}

void image__add_empty(struct image *image, uint64_t *measured, uint64_t *bare)
{
	*measured = here(image);
	emit_jump_on(image);
	emit__stamp(&image->code, stamp(image, jump_stamp_entry), 0, 0);
	emit_jump_on(image);
	emit_jump_on(image);
	emit__stamp(&image->code, stamp(image, jump_stamp_end), 0, 0);
	emit__return(&image->code);
	*bare = here(image);
	emit__return(&image->code);
}

/* So that others know where a thread is whom they find there. */
static struct jump_record_entry write_copies(struct image *image, const struct image_patch *patch)
{
	struct jump_record_entry entry = { .address = patch->address, .copies = image->code.nr, .nr_copies = patch->nr + 1 };

	for (uint32_t i = 0; i <= patch->nr; i++)
		emit__bytes(&image->code, &(struct jump_copy){
			.at = (i < patch->nr ? patch->copy[i] : patch->behind) - patch->copy[0],
			.offset = i < patch->nr ? patch->offset[i] : patch->bytes }, sizeof(struct jump_copy));
	return entry;
}

int image__write_record(struct image *image, uint64_t id, size_t shared_bytes)
{
	struct jump_record record = { .magic = JUMP_MAGIC, .id = id, .nr = image->nr, .shared_bytes = shared_bytes };
	size_t needed = (image->code.nr + image->recorded + JUMP_PAGE - 1) / JUMP_PAGE * JUMP_PAGE, at;

	if (needed > image->code.room)
		return -1;
	image->code.room = needed;
	record.code_bytes = needed;
	at = needed - image->nr * sizeof(struct jump_record_entry);
	memcpy(image->code.bytes + JUMP_STAMPS_BYTES, &record, sizeof(record));
	for (size_t i = 0; i < image->nr; i++) {
		struct jump_record_entry entry = write_copies(image, &image->patches[i]);

		memcpy(entry.was, image->patches[i].was, sizeof(entry.was));
		memcpy(entry.is, image->patches[i].is, sizeof(entry.is));
		memcpy(image->code.bytes + at + i * sizeof(entry), &entry, sizeof(entry));
	}
	return image->code.failed ? -1 : 0;
}
