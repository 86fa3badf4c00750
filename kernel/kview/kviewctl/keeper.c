// SPDX-License-Identifier: GPL-2.0
/* The process that holds a view's descriptors. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "keeper.h"
#include "socket.h"

struct kept {
	struct kept *next;
	struct kview_attachment *a;
	char label[];
};

struct keeper {
	const char *name;
	struct kview_view *v;
	struct sites *s;
	struct kept *kept;
};

/* What "list -a" shows; a label can be longer. */
static void set_name(const char *label, struct kview_attachment *a)
{
	char name[KVIEW_NAME_SIZE];

	snprintf(name, sizeof(name), "%s", label);
	kview_attachment__set_name(a, name);
}

/* These return a negative errno or 0. */
static int add(struct keeper *k, const char *label, int fd)
{
	size_t size = strlen(label) + 1;
	struct kept *kept = malloc(sizeof(*kept) + size), **last = &k->kept;
	int copy, err;

	if (!kept)
		return -ENOMEM;
	copy = dup(fd);
	kept->a = copy < 0 ? NULL : kview_attachment__adopt(copy);
	if (!kept->a) {
		err = -errno;
		free(kept);
		return err;
	}
	memcpy(kept->label, label, size);
	set_name(label, kept->a);
	kept->next = NULL;
	while (*last)
		last = &(*last)->next;
	*last = kept;
	return 0;
}

static int detach(struct keeper *k, const char *label)
{
	struct kept **p = &k->kept, *kept;
	int err = *label ? -ENOENT : 0;

	while ((kept = *p)) {
		if (*label && strcmp(label, kept->label)) {
			p = &kept->next;
			continue;
		}
		*p = kept->next;
		kview_attachment__free(kept->a);
		free(kept);
		err = 0;
	}
	return err;
}

static int summary(struct keeper *k, FILE *out)
{
	struct kview_view_stat st;
	int err = kview_view__stat(k->v, &st);

	if (!err)
		fprintf(out, "%-24s %9u %9u %12llu\n", k->name, st.processes, st.sites, st.memory);
	return err;
}

#define ATTACHED \
	"attached %s: processes %u joined %u join_failed %u left %u elsewhere %u attach_ns %llu\n"

static int stat_all(struct keeper *k, FILE *out)
{
	struct kview_attach_stat a;
	struct kview_view_stat st;
	struct kept *kept;
	int err = kview_view__stat(k->v, &st);

	if (err)
		return err;
	fprintf(out, "processes %u\nsets %u\nsites %u\nregions %u\nregions_huge %u\n", st.processes,
		st.sets, st.sites, st.regions, st.regions_huge);
	fprintf(out, "text_pages %u\ntext_pages_shared %u\ntable_pages %u\nmemory %llu\n",
		st.text_pages, st.text_pages_shared, st.table_pages, st.memory);
	fprintf(out, "create_ns %llu\ndestroy_ns %llu\n", st.create_ns, st.destroy_ns);
	for (kept = k->kept; kept; kept = kept->next)
		if (!kview_attachment__stat(kept->a, &a))
			fprintf(out, ATTACHED, kept->label, a.processes, a.joined, a.join_failed,
				a.left, a.elsewhere, a.attach_ns);
	sites__print(k->s, out);
	return 0;
}

static int remove_all(struct keeper *k)
{
	detach(k, "");
	sites__free(k->s);
	kview_view__free(k->v);
	socket__unlink(k->name);
	return 0;
}

/* Text is sent in parts, a part that is empty comes last. */
static void answer(int sock, int error, const char *text, int fd)
{
	struct message m = { .verb = VERB_ANSWER };
	size_t n;

	for (; *text; text += n) {
		n = strlen(text);
		if (n >= sizeof(m.text))
			n = sizeof(m.text) - 1;
		memcpy(m.text, text, n);
		m.text[n] = 0;
		if (!socket__send(sock, &m, -1))
			return;
	}
	m.error = error;
	m.text[0] = 0;
	socket__send(sock, &m, fd);
}

/* False when it was the last. */
static bool serve(struct keeper *k, int sock)
{
	static struct message m;
	char *text = NULL;
	int fd = -1, err = 0;
	size_t size;
	FILE *out;

	if (!socket__receive(sock, &m, &fd))
		return true;
	out = open_memstream(&text, &size);
	switch (out ? m.verb : 0) {
	case VERB_VIEW:
		break;
	case VERB_ADD:
		err = add(k, m.text, fd);
		break;
	case VERB_SUMMARY:
		err = summary(k, out);
		break;
	case VERB_STAT:
		err = stat_all(k, out);
		break;
	case VERB_DETACH:
		err = detach(k, m.text);
		break;
	case VERB_REMOVE:
		err = remove_all(k);
		break;
	default:
		err = out ? -EINVAL : -ENOMEM;
	}
	if (out)
		fclose(out);
	answer(sock, -err, text ? text : "", m.verb == VERB_VIEW ? kview_view__fd(k->v) : -1);
	free(text);
	if (fd >= 0)
		close(fd);
	return m.verb != VERB_REMOVE;
}

/* No descriptor is free, or no memory: neither comes from trying at once. */
static void wait_for_room(void)
{
	if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
		usleep(100000);
}

void keeper__run(int listener, int null, const char *name, struct kview_view *v, struct sites *s)
{
	struct keeper k = { .name = name, .v = v, .s = s };
	char view_name[KVIEW_NAME_SIZE];
	bool more = true;
	int sock;

	setsid();
	if (chdir("/") || dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(null, 2) < 0) {
		socket__unlink(name);
		return;
	}
	close(null);
	snprintf(view_name, sizeof(view_name), "%s", name);
	kview_view__set_name(v, view_name);
	sites__set_name(s, view_name);
	while (more) {
		sock = socket__accept(listener);
		if (sock < 0) {
			wait_for_room();
			continue;
		}
		more = serve(&k, sock);
		close(sock);
	}
}
