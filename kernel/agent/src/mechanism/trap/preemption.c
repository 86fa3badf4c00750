// SPDX-License-Identifier: GPL-2.0
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include <zlib.h>

#include "mechanism/trap/preemption.h"

#define CONFIG_BYTES	(1U << 20)

/* Whether the option is a whole line of the configuration. */
static bool config__has(const char *config, const char *option)
{
	size_t length = strlen(option);
	const char *at = config;

	for (; (at = strstr(at, option)); at += length)
		if ((at == config || at[-1] == '\n') && (!at[length] || at[length] == '\n'))
			return true;
	return false;
}

/* Where "preempt=" is given several times, the kernel takes the last one, and so does this. */
static bool command_line__chooses(const char *command_line, const char *model)
{
	static const char option[] = "preempt=";
	const char *at = command_line, *chosen = NULL;
	size_t length = strlen(model);

	for (; (at = strstr(at, option)); at += strlen(option))
		if (at == command_line || strchr(" \n", at[-1]))
			chosen = at + strlen(option);
	return chosen && !strncmp(chosen, model, length) && (!chosen[length] || strchr(" \n", chosen[length]));
}

/* Lazy preemption came with mainline 6.13. */
static bool release__is_before_lazy(const char *release)
{
	int major, minor;

	return release && sscanf(release, "%d.%d", &major, &minor) == 2 &&
	       (major < 6 || (major == 6 && minor < 13));
}

/* A kernel ignores a model on its command line that it does not have: then it uses the one that it was built with. */
static enum preemption config__tell(const char *config, const char *command_line)
{
	bool built_lazy = config__has(config, "CONFIG_PREEMPT_LAZY=y");

	if (!built_lazy && !config__has(config, "CONFIG_ARCH_HAS_PREEMPT_LAZY=y"))
		return PREEMPTION_AT_ONCE;
	if (!config__has(config, "CONFIG_PREEMPT_DYNAMIC=y"))
		return built_lazy ? PREEMPTION_LAZY : PREEMPTION_AT_ONCE;
	if (!command_line)
		return PREEMPTION_UNKNOWN;
	if (command_line__chooses(command_line, "lazy"))
		return PREEMPTION_LAZY;
	if (!built_lazy || command_line__chooses(command_line, "full"))
		return PREEMPTION_AT_ONCE;
	return command_line__chooses(command_line, "none") ||
	       command_line__chooses(command_line, "voluntary") ? PREEMPTION_UNKNOWN : PREEMPTION_LAZY;
}

enum preemption preemption__tell(const struct preemption_facts *facts)
{
	if (facts->now && strchr(facts->now, '('))
		return strstr(facts->now, "(lazy)") ? PREEMPTION_LAZY : PREEMPTION_AT_ONCE;
	if (facts->config && *facts->config)
		return config__tell(facts->config, facts->command_line);
	if (facts->version && !strstr(facts->version, "PREEMPT_RT") &&
	    release__is_before_lazy(facts->release))
		return PREEMPTION_AT_ONCE;
	return PREEMPTION_UNKNOWN;
}

/* What a file holds, whether compressed or not; to be freed.  NULL if it can't be read. */
static char *text__of(const char *path, size_t max)
{
	gzFile file = gzopen(path, "re");
	char *text = file ? calloc(1, max + 1) : NULL;
	int length = text ? gzread(file, text, max) : -1;

	if (file)
		gzclose(file);
	if (length > 0)
		return text;
	free(text);
	return NULL;
}

static char *config__of(const char *release)
{
	static const char *const places[] = { "/boot/config-%s", "/lib/modules/%s/config",
					      "/usr/lib/modules/%s/config" };
	char *config = text__of("/proc/config.gz", CONFIG_BYTES);
	char path[256];
	size_t i;

	for (i = 0; !config && i < sizeof(places) / sizeof(*places); i++) {
		snprintf(path, sizeof(path), places[i], release);
		config = text__of(path, CONFIG_BYTES);
	}
	return config;
}

enum preemption preemption__find(void)
{
	/* Read once, as they stay the same while the host runs.  The model itself can be changed at any time. */
	static char *config, *command_line;
	static bool is_read;
	struct utsname name = { 0 };
	enum preemption found;
	char *now;

	uname(&name);
	if (!is_read) {
		config = config__of(name.release);
		command_line = text__of("/proc/cmdline", 8192);
		is_read = true;
	}
	now = text__of("/sys/kernel/debug/sched/preempt", 256);
	found = preemption__tell(&(struct preemption_facts){
		.release = name.release, .version = name.version, .now = now, .config = config,
		.command_line = command_line });
	free(now);
	return found;
}
