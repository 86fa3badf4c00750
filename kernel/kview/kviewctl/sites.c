// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "sites.h"

/* As it was named: what any module may have begins with a colon here. */
static const char *shown(const char *name)
{
	return name + (*name == ':');
}

/* Of functions in modules, where it says more than of others. */
static const char *why_no_module(int err, const char *name)
{
	return err == ENOENT ? "no such function in a module; -f takes the kernel image's" :
	       err != ENOTUNIQ ? NULL :
	       *name == ':' ? "several functions of modules have this name; MODULE:FUNCTION takes one's" :
			      "several functions of the module have this name";
}

static struct kview_set *add(struct kview_view *v, const char *const *names, size_t n,
			     bool function, uint32_t flags)
{
	struct kview_set_opts opts = { .flags = flags };
	const char *name, *why;
	struct kview_set *s;
	int err;

	s = function ? kview_view__add_functions(v, names, n, &opts) :
	    strchr(*names, ':') ? kview_view__add_events(v, names, n, &opts) :
				  kview_view__add_tracepoints(v, names, n, &opts);
	if (s)
		return s;
	err = errno;
	name = opts.bad < n ? names[opts.bad] : "adding sites";
	why = flags ? why_no_module(err, name) : NULL;
	fprintf(stderr, "kviewctl: %s: %s\n", shown(name), why ? why :
		err == ENOENT ? "no such function, tracepoint or event" :
		err == ENOTUNIQ ? "several functions have this name" :
		err == EADDRNOTAVAIL ? "cannot be hooked" :
		err == EOPNOTSUPP ? "is a module's function, which no view has; use -m" :
		err == EBUSY && flags ? "another direct call or a live patch is at a function" :
		err == EEXIST ? "named twice" : strerror(err));
	return NULL;
}

bool sites__add(struct sites *s, struct kview_view *v)
{
	size_t i;

	if (s->nfunctions) {
		s->f = add(v, s->functions, s->nfunctions, true, 0);
		if (!s->f)
			return false;
	}
	if (s->nmodules) {
		s->m = add(v, s->modules, s->nmodules, true, KVIEW_SET_FILTER);
		if (!s->m)
			return false;
	}
	for (i = 0; i < s->ntracepoints; i++) {
		s->t[i] = add(v, &s->tracepoints[i], 1, false, 0);
		if (!s->t[i])
			return false;
	}
	return true;
}

void sites__set_name(struct sites *s, const char *name)
{
	size_t i;

	if (s->f)
		kview_set__set_name(s->f, name);
	if (s->m)
		kview_set__set_name(s->m, name);
	for (i = 0; i < s->ntracepoints; i++)
		kview_set__set_name(s->t[i], name);
}

static void print_loss(uint64_t n, const char *name, const char *why, FILE *out)
{
	if (n)
		fprintf(out, "%12" PRIu64 "  %s not counted: %s\n", n, name, why);
}

static void print_site(struct kview_set *s, size_t i, const char *name, FILE *out)
{
	struct kview_site_losses lost;
	uint64_t hits;

	if (!kview_set__hits(s, i, 1, -1, &hits))
		fprintf(out, "%12" PRIu64 "  %s\n", hits, name);
	if (kview_set__losses(s, i, 1, &lost))
		return;
	print_loss(lost.irq, name, "in interrupts", out);
	print_loss(lost.nested, name, "nested in tracing", out);
	print_loss(lost.borrowed, name, "by kernel threads", out);
}

static void print(struct kview_set *s, const char *const *names, size_t n, FILE *out)
{
	size_t i;

	for (i = 0; s && i < n; i++)
		print_site(s, i, shown(names[i]), out);
}

void sites__print(const struct sites *s, FILE *out)
{
	size_t i;

	print(s->f, s->functions, s->nfunctions, out);
	print(s->m, s->modules, s->nmodules, out);
	for (i = 0; i < s->ntracepoints; i++)
		print(s->t[i], &s->tracepoints[i], 1, out);
}

void sites__free(struct sites *s)
{
	size_t i;

	if (s->f)
		kview_set__free(s->f);
	if (s->m)
		kview_set__free(s->m);
	for (i = 0; i < s->ntracepoints && s->t[i]; i++)
		kview_set__free(s->t[i]);
}
