// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <libkview.h>

#include "mechanism/kview_module.h"

/* What recordings use of it. */
#define NEEDED	(KVIEW_FEATURE_ENTRY | KVIEW_FEATURE_RETURN | KVIEW_FEATURE_TRACEPOINT | KVIEW_FEATURE_ANY_SIZE | \
		 KVIEW_FEATURE_LOSSES | KVIEW_FEATURE_ITEMS)

/* Whether modprobe would find it. */
static bool is_installed(void)
{
	struct utsname system;
	char path[512], line[4096];
	bool found = false;
	FILE *file;

	uname(&system);
	snprintf(path, sizeof(path), "/lib/modules/%.64s/modules.dep", system.release);
	file = fopen(path, "re");
	while (file && !found && fgets(line, sizeof(line), file))
		found = strstr(line, "/kview.ko");
	if (file)
		fclose(file);
	return found;
}

__attribute__((format(printf, 4, 5)))
static struct kview *refused(struct kview *module, char *why, size_t size, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(why, size, format, args);
	va_end(args);
	kview__free(module);
	return NULL;
}

static struct kview *not_opened(char *why, size_t size)
{
	int failed = errno;

	if (failed != ENOENT && failed != ENXIO && failed != ENODEV)
		return refused(NULL, why, size, "The kview module can't be used by user %u (/dev/kview: %s): it takes root.",
			       geteuid(), strerror(failed));
	return refused(NULL, why, size, is_installed() ?
		       "The kview module is not loaded: 'modprobe kview' loads it." :
		       "The kview module is not there for this kernel: 'dkms install kernel/kview' builds it, 'modprobe kview' loads it.");
}

bool kview_module__serves(const struct kview_info *info)
{
	return (info->features & NEEDED) == NEEDED;
}

void kview_module__deny(char *why, size_t size)
{
	snprintf(why, size,
		 "The kview module is loaded, and user %u may not use it: it takes CAP_BPF and CAP_PERFMON, and a kernel that is not locked down.",
		 geteuid());
}

struct kview *kview_module__look(char *why, size_t size)
{
	struct kview *module = kview__open();
	struct kview_info info = { 0 };
	int failed;

	if (!module)
		return not_opened(why, size);
	failed = kview__info(module, &info);
	if (failed)
		return refused(module, why, size, "The kview module does not answer (%s): load the one that came with this agent.",
			       strerror(-failed));
	if (!kview_module__serves(&info))
		return refused(module, why, size,
			       "The kview module that is loaded has features %#x, and this agent needs %#x: load the one that came with it.",
			       info.features, NEEDED);
	return module;
}

struct kview *kview_module__open(char *why, size_t size)
{
	struct kview *module = kview_module__look(why, size);
	struct kview_view *view;

	if (!module)
		return NULL;
	view = kview_view__new(module);
	if (!view && (errno == EPERM || errno == EACCES)) {
		kview_module__deny(why, size);
		kview__free(module);
		return NULL;
	}
	if (!view)
		return refused(module, why, size, "The kview module is loaded, and made no view: %s.", strerror(errno));
	kview_view__free(view);
	return module;
}
