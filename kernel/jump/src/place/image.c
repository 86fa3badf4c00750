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
	boards__free(&image->boards);
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

static bool runs_on(const struct code_insn *insn)
{
	return insn->kind == CODE_PLAIN || insn->kind == CODE_PADDING || insn->kind == CODE_JUMP_COND;
}

/* The window, and what the jump depends on. */
static uint64_t end_of(const struct image_patch *patch)
{
	unsigned int span = pun__span(patch->changed);

	return patch->address + (patch->bytes > span ? patch->bytes : span);
}

/* All before the last. */
static bool is_taken(const struct image *image, const struct image_patch *last)
{
	for (const struct image_patch *patch = image->patches; patch < last; patch++)
		if (last->address < end_of(patch) && patch->address < end_of(last))
			return true;
	return false;
}

static bool has_room(const void *context, uint64_t address)
{
	const struct image *image = context;

	return image->space && !image__has(image, address) && boards__have_room(&image->boards, image->space, address);
}

static bool find_pun(const struct image *image, const struct plan_window *window, uint64_t bias, struct pun *pun, uint64_t *stub)
{
	const struct pun_space space = { has_room, image };
	uint64_t address = window->start + bias;

	*stub = here(image);
	/* Written in one go, whatever happens to the writer. */
	return pun__find(pun, &window->place, address, &space, stub) &&
	       address / JUMP_PAGE == (address + pun->changed - 1) / JUMP_PAGE;
}

/* What is in the code has its place there already. */
static bool add_board(struct image *image, const struct board *board)
{
	uint8_t jump[BOARD_BYTES];

	if (!jump__encode(jump, board->at, board->to))
		return false;
	if (!image__has(image, board->at))
		return boards__add(&image->boards, board);
	memcpy(image->code.bytes + (board->at - image->code.address), jump, sizeof(jump));
	return true;
}

static void remove_board(struct image *image, const struct board *board)
{
	if (image__has(image, board->at))
		memset(image->code.bytes + (board->at - image->code.address), 0xcc, BOARD_BYTES);
	else
		boards__remove(&image->boards, board->at);
}

/* All or none. */
static bool add_boards(struct image *image, const struct pun *pun)
{
	size_t added = 0;

	while (added < pun->nr && add_board(image, &pun->boards[added]))
		added++;
	if (added == pun->nr)
		return true;
	while (added--)
		remove_board(image, &pun->boards[added]);
	return false;
}

static void remove_boards(struct image *image, const struct image_patch *patch)
{
	struct board all[PUN_MAX_BOARDS];
	size_t nr = pun__boards(patch->is, patch->was, patch->changed, patch->inner, patch->address, patch->stub, all);

	while (nr--)
		remove_board(image, &all[nr]);
}

/* What is added to an image at once. */
struct addition {
	struct image *image;
	uint32_t function;
	const struct plan *plan;
	const struct code *code;
	uint64_t bias;
	bool *tried;		/* by window */
};

static bool fill_patch(const struct addition *to, const struct plan_window *window, struct image_patch *patch)
{
	struct image *image = to->image;
	uint64_t unused;
	struct pun pun;

	if (!elf_file__offset_of(to->code->file, window->start, true, &patch->file_offset, &unused) ||
	    !find_pun(image, window, to->bias, &pun, &patch->stub) || patch->stub - image->code.address > image->code.room)
		return false;
	patch->address = window->start + to->bias;
	patch->function = to->function;
	patch->bytes = window->bytes;
	patch->may_fault = plan__may_fault(window, to->code);
	patch->kept = window->is_entry ? window->start - to->code->ranges[0].start : 0;
	patch->changed = pun.changed;
	patch->inner = window->place.inner;
	memcpy(patch->is, pun.is, sizeof(patch->is));
	memcpy(patch->was, window->place.bytes, sizeof(patch->was));
	return !is_taken(image, patch) && elf_file__read_at(to->code->file, window->start, patch->file, window->bytes) &&
	       add_boards(image, &pun);
}

static bool add_window(const struct addition *to, const struct plan_window *window)
{
	struct image *image = to->image;
	struct image_patch *patch = new_patch(image);

	if (!patch)
		return false;
	if (!fill_patch(to, window, patch)) {
		image->nr--;
		return false;
	}
	image->code.nr = patch->stub - image->code.address;
	for (uint32_t i = 0; i < window->nr; i++) {
		const struct code_insn *insn = &to->code->insns[window->first + i];

		patch->offset[i] = insn->address - window->start;
		patch->copy[i] = here(image);
		if (!i && window->is_entry)
			emit__stamp(&image->code, stamp(image, jump_stamp_entry), to->function, window->pushed);
		emit_insn(image, to->function, to->code, insn, to->bias);
	}
	patch->nr = window->nr;
	patch->behind = here(image);
	if (runs_on(&to->code->insns[window->first + window->nr - 1]))
		emit__jump(&image->code, window->start + window->bytes + to->bias);
	return !image->code.failed;
}

static void take_back(struct image *image, size_t patches, size_t bytes)
{
	while (image->nr > patches)
		remove_boards(image, &image->patches[--image->nr]);
	memset(image->code.bytes + bytes, 0xcc, image->code.nr - bytes);
	image->code.nr = bytes;
	image->code.failed = false;
}

static size_t boards_elsewhere(const struct image *image, const struct pun *pun)
{
	size_t nr = 0;

	for (size_t i = 0; i < pun->nr; i++)
		nr += !image__has(image, pun->boards[i].at);
	return nr;
}

/* Of those that have not been tried: springboards are what costs memory. */
static const struct plan_window *cheapest(const struct addition *to, bool is_entry, uint32_t end)
{
	const struct plan_window *best = NULL;
	size_t least = SIZE_MAX;

	for (size_t i = 0; i < to->plan->nr; i++) {
		const struct plan_window *window = &to->plan->windows[i];
		uint64_t stub;
		struct pun pun;
		size_t price;

		if (to->tried[i] || window->is_entry != is_entry || (!is_entry && window->end != end) ||
		    !find_pun(to->image, window, to->bias, &pun, &stub))
			continue;
		price = boards_elsewhere(to->image, &pun) * JUMP_MAX_WINDOW + window->bytes;
		if (price < least) {
			least = price;
			best = window;
		}
	}
	if (best)
		to->tried[best - to->plan->windows] = true;
	return best;
}

static bool add_end(const struct addition *to, uint32_t end)
{
	const size_t patches = to->image->nr, bytes = to->image->code.nr;
	const struct plan_window *window;

	while ((window = cheapest(to, false, end))) {
		if (add_window(to, window))
			return true;
		take_back(to->image, patches, bytes);
	}
	return false;
}

static bool add_ends(const struct addition *to, uint32_t but)
{
	for (size_t i = 0; i < to->code->nr_insns; i++)
		if (code__is_way_out(to->code, &to->code->insns[i]) && i + 1 != but && !add_end(to, i + 1))
			return false;
	return true;
}

/* Whether an entry's window leaves room for all ends'. */
static bool add_windows(const struct addition *to)
{
	const size_t patches = to->image->nr, bytes = to->image->code.nr;
	const struct plan_window *entry;

	while ((entry = cheapest(to, true, 0))) {
		if (add_window(to, entry) && add_ends(to, entry->end))
			return true;
		take_back(to->image, patches, bytes);
		for (size_t i = 0; i < to->plan->nr; i++)
			to->tried[i] &= to->plan->windows[i].is_entry;
	}
	return false;
}

/* What is noted of a window: its entry, and the list of copies. */
static size_t record_of(const struct image_patch *patch)
{
	return sizeof(struct jump_record_entry) + (patch->nr + 1) * sizeof(struct jump_copy);
}

int image__add(struct image *image, uint32_t function, const struct plan *plan, const struct code *code,
	       uint64_t bias)
{
	struct addition to = { .image = image, .function = function, .plan = plan, .code = code, .bias = bias,
			       .tried = calloc(plan->nr + 1, 1) };
	size_t patches = image->nr, bytes = image->code.nr, recorded = image->recorded;
	bool has_all = to.tried && add_windows(&to);

	free(to.tried);
	if (has_all) {
		for (size_t i = patches; i < image->nr; i++)
			image->recorded += record_of(&image->patches[i]);
		if (image->code.room - image->code.nr >= image->recorded)
			return 0;
	}
	take_back(image, patches, bytes);
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
	struct jump_record_entry entry = { .address = patch->address, .stub = patch->stub - image->code.address,
					   .changed = patch->changed, .inner = patch->inner, .copies = image->code.nr, .nr_copies = patch->nr + 1 };

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

void image__write_boards(const struct boards *boards, const struct board_run *run, uint8_t *bytes)
{
	memset(bytes, 0xcc, run->bytes);
	for (size_t i = run->first; i < run->next; i++)
		jump__encode(bytes + (boards->all[i].at - run->start), boards->all[i].at, boards->all[i].to);
}
