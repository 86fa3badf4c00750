# SPDX-License-Identifier: GPL-2.0
#
# The tests of function lookup and process list, built from their sources alone and most of
# them with sanitizers.  tests/lookup_test.py runs them as one of the agent's tests.
#
#   make -f tests/lookup.mk check-lookup     (in kernel/agent)

LOOKUP_BUILD ?= build/lookup
LOOKUP_ARCH := x86_64
LOOKUP_SOURCES := src/error.c src/functions.c src/processes.c $(wildcard src/lookup/*.c) \
	$(addprefix src/arch/$(LOOKUP_ARCH)/,insn.c jump_tables.c uprobe_insn.c stack_insn.c \
	code_region.c stack_proof.c)
LOOKUP_HEADERS := src/error.h src/functions.h src/processes.h \
	$(wildcard src/lookup/*.h src/arch/*.h src/arch/$(LOOKUP_ARCH)/*.h)

# Evaluated when a recipe runs: it may build the decoder first.
ZYDIS_PREFIX ?= $(eval ZYDIS_PREFIX := $(shell third-party/build.sh zydis))$(ZYDIS_PREFIX)
LOOKUP_CPPFLAGS = -D_GNU_SOURCE -DZYDIS_STATIC_BUILD -DZYCORE_STATIC_BUILD -I$(ZYDIS_PREFIX)/include \
	-Isrc/arch/$(LOOKUP_ARCH)
LOOKUP_LIBS = $(ZYDIS_PREFIX)/lib/libZydis.a -liberty
LOOKUP_CFLAGS := -std=gnu11 -Wall -Wextra -Wno-unused-parameter -g
LOOKUP_SANITIZE := -O1 -fsanitize=address,undefined -fno-sanitize-recover=all

# Not the ones that the implicit rules know.
MAKEFLAGS += --no-builtin-rules
CC ?= gcc

.PHONY: check-lookup
check-lookup: $(addprefix $(LOOKUP_BUILD)/,find find-asan step attach fuzz units processes)
	$(MAKE) -s -C tests/programs
	$(MAKE) -s -C ../workloads
	python3 tests/lookup/check.py $(LOOKUP_BUILD) tests/programs/build ../workloads/build

# Those that are timed, or run for long, without sanitizers.
$(LOOKUP_BUILD)/find $(LOOKUP_BUILD)/step $(LOOKUP_BUILD)/attach: $(LOOKUP_BUILD)/%: tests/lookup/%.c $(LOOKUP_SOURCES) $(LOOKUP_HEADERS)
	@mkdir -p $(@D)
	$(CC) $(LOOKUP_CFLAGS) -O2 $(LOOKUP_CPPFLAGS) -o $@ $(filter %.c,$^) $(LOOKUP_LIBS)

$(LOOKUP_BUILD)/find-asan: tests/lookup/find.c $(LOOKUP_SOURCES) $(LOOKUP_HEADERS)
	@mkdir -p $(@D)
	$(CC) $(LOOKUP_CFLAGS) $(LOOKUP_SANITIZE) $(LOOKUP_CPPFLAGS) -o $@ $(filter %.c,$^) \
		$(LOOKUP_LIBS)

$(LOOKUP_BUILD)/%: tests/lookup/%.c $(LOOKUP_SOURCES) $(LOOKUP_HEADERS)
	@mkdir -p $(@D)
	$(CC) $(LOOKUP_CFLAGS) $(LOOKUP_SANITIZE) $(LOOKUP_CPPFLAGS) -o $@ $(filter %.c,$^) \
		$(LOOKUP_LIBS)
