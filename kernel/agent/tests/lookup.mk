# SPDX-License-Identifier: GPL-2.0
#
# The tests of function lookup and process list, built from their sources alone and most of
# them with sanitizers.  tests/lookup_test.py runs them as one of the agent's tests.
#
#   make -f tests/lookup.mk check-lookup     (in kernel/agent)
#   KVIEW_DAMAGED_COPIES=6000 make ...       more damaged copies of each file (600)

BUILD := build
LOOKUP_BUILD ?= build/lookup
LOOKUP_ARCH := x86_64
LOOKUP_SOURCES := $(addprefix src/base/,error.c loop.c precedence.c proc_text.c sort.c rights.c) \
	src/processes/processes.c $(wildcard src/lookup/*.c) \
	$(addprefix src/arch/$(LOOKUP_ARCH)/,insn.c jump_tables.c uprobe_insn.c stack_insn.c \
	code_region.c return_slot.c stack_proof.c)

# Evaluated when a recipe runs: it may build the decoder first.
ZYDIS_PREFIX ?= $(eval ZYDIS_PREFIX := $(shell third-party/build.sh zydis))$(ZYDIS_PREFIX)
LOOKUP_CPPFLAGS = -D_GNU_SOURCE -DZYDIS_STATIC_BUILD -DZYCORE_STATIC_BUILD -I$(ZYDIS_PREFIX)/include \
	-Isrc -Isrc/arch/$(LOOKUP_ARCH)
LOOKUP_LIBS = $(ZYDIS_PREFIX)/lib/libZydis.a -liberty -llzma -lz
LOOKUP_CFLAGS := -std=gnu11 -Wall -Wextra -Wno-unused-parameter -g
LOOKUP_SANITIZE := -O1 -fsanitize=address,undefined -fno-sanitize-recover=all

# Not the ones that the implicit rules know.
MAKEFLAGS += --no-builtin-rules
CC ?= gcc

.PHONY: check-lookup lookup-programs
lookup-programs: $(addprefix $(LOOKUP_BUILD)/,find find-asan step attach fuzz units bounded processes)
	$(MAKE) -s -C tests/programs
	$(MAKE) -s -C ../workloads

check-lookup: lookup-programs
	python3 tests/lookup/check.py $(LOOKUP_BUILD) tests/programs/build ../workloads/build

# Everything is compiled with sanitizers. Those that are timed or run for long are linked with what the agent consists of.
LOOKUP_PLAIN := find step attach
LOOKUP_AGENT := $(LOOKUP_SOURCES:%.c=$(BUILD)/%.o)
# With sanitizers as well: most of the compiler's time is for these, so the agent of the hostile requests has them made.
LOOKUP_SANITIZED := $(LOOKUP_SOURCES:%.c=$(BUILD)/sanitized/%.o)
COMMA := ,

# The agent's Makefile knows whether they are new.
.PHONY: agent-objects sanitized-objects
agent-objects:
	@$(MAKE) -s $(LOOKUP_AGENT)
$(LOOKUP_AGENT): agent-objects ;@:
sanitized-objects:
	@$(MAKE) -s sanitized
$(LOOKUP_SANITIZED): sanitized-objects ;@:

.SECONDARY:
$(LOOKUP_BUILD)/plain/%.o: %.c tests/lookup.mk
	@mkdir -p $(@D)
	$(CC) $(LOOKUP_CFLAGS) -O2 $(LOOKUP_CPPFLAGS) -MMD -MP -c -o $@ $<

$(LOOKUP_BUILD)/sanitized/%.o: %.c tests/lookup.mk
	@mkdir -p $(@D)
	$(CC) $(LOOKUP_CFLAGS) $(LOOKUP_SANITIZE) $(LOOKUP_CPPFLAGS) -MMD -MP -c -o $@ $<

$(addprefix $(LOOKUP_BUILD)/,$(LOOKUP_PLAIN)): $(LOOKUP_BUILD)/%: $(LOOKUP_BUILD)/plain/tests/lookup/%.o \
		$(LOOKUP_AGENT)
	$(CC) -o $@ $^ $(LOOKUP_LIBS)

$(LOOKUP_BUILD)/find-asan: $(LOOKUP_BUILD)/sanitized/tests/lookup/find.o \
		$(LOOKUP_SANITIZED)
	$(CC) $(LOOKUP_SANITIZE) -o $@ $^ $(LOOKUP_LIBS)

$(LOOKUP_BUILD)/%: $(LOOKUP_BUILD)/sanitized/tests/lookup/%.o \
		$(LOOKUP_SANITIZED)
	$(CC) $(LOOKUP_SANITIZE) $(LOOKUP_WRAP) -o $@ $^ $(LOOKUP_LIBS)

# It counts what these see of texts.
$(LOOKUP_BUILD)/bounded: LOOKUP_WRAP := $(addprefix -Wl$(COMMA)--wrap=,strlen strnlen strstr strcmp strncmp memchr)

-include $(shell find $(LOOKUP_BUILD) -name '*.d' 2>/dev/null)
