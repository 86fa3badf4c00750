// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "keep.h"
#include "keeper.h"
#include "socket.h"

static int complain(const char *name, int err)
{
	fprintf(stderr, "kviewctl: view %s: %s\n", name,
		err == ENOENT || err == ECONNREFUSED ? "there is none of this name" :
		err == EEXIST ? "there is one of this name already" :
		err == EINVAL ? "not a name: no slash, no dot at its start" :
		err == EAGAIN ? "its keeper does not answer" : strerror(err));
	return 1;
}

/* One request; the answer's text goes to stdout, its descriptor to *fd.  Returns an errno or 0. */
static int ask(const char *name, enum verb verb, const char *text, int send_fd, int *fd)
{
	struct message m = { .verb = verb };
	int sock = socket__connect(name), err;

	if (sock < 0)
		return errno;
	snprintf(m.text, sizeof(m.text), "%s", text);
	err = socket__send(sock, &m, send_fd) ? 0 : errno;
	while (!err) {
		if (!socket__receive(sock, &m, fd)) {
			err = errno;
			break;
		}
		if (!m.text[0]) {
			err = m.error;
			break;
		}
		fputs(m.text, stdout);
	}
	close(sock);
	return err;
}

int keep__create(struct kview *k, const char *name, struct sites *s)
{
	struct kview_view *v = kview_view__new(k);
	int listener = -1, null = -1, ret = 1;
	pid_t pid;

	if (!v) {
		fprintf(stderr, "kviewctl: creating a view: %s%s\n", strerror(errno),
			errno == EPERM ? "; it takes CAP_BPF and CAP_PERFMON" : "");
		return 1;
	}
	if (!sites__add(s, v))
		goto out;
	null = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (null < 0) {
		fprintf(stderr, "kviewctl: /dev/null: %s\n", strerror(errno));
		goto out;
	}
	listener = socket__listen(name);
	if (listener < 0) {
		complain(name, errno);
		goto out;
	}
	pid = fork();
	if (!pid) {
		keeper__run(listener, null, name, v, s);
		_exit(0);
	}
	if (pid < 0) {
		complain(name, errno);
		socket__unlink(name);
		goto out;
	}
	ret = 0;
out:
	if (null >= 0)
		close(null);
	if (listener >= 0)
		close(listener);
	sites__free(s);
	kview_view__free(v);
	return ret;
}

int keep__attach(const char *name, const struct target *t)
{
	struct kview_attachment *a = NULL;
	struct kview_view *v = NULL;
	int fd = -1, err, ret = 1;
	char label[512];

	err = ask(name, VERB_VIEW, "", -1, &fd);
	if (!err) {
		v = kview_view__adopt(fd);
		err = v ? 0 : errno;
	}
	if (err)
		return complain(name, err);
	a = target__attach(t, v);
	if (!a)
		goto out;
	target__label(t, label, sizeof(label));
	err = ask(name, VERB_ADD, label, kview_attachment__fd(a), NULL);
	ret = err ? complain(name, err) : 0;
out:
	if (a)
		kview_attachment__free(a);
	kview_view__free(v);
	return ret;
}

int keep__list(void)
{
	const char *dir = socket__directory();
	struct dirent **names;
	int n = dir ? scandir(dir, &names, NULL, alphasort) : -1, i, err, ret = 0;

	if (n < 0) {
		fprintf(stderr, "kviewctl: the directory of views: %s\n", strerror(errno));
		return 1;
	}
	printf("%-24s %9s %9s %12s\n", "NAME", "PROCESSES", "SITES", "MEMORY");
	for (i = 0; i < n; i++) {
		const char *name = names[i]->d_name;

		err = *name == '.' ? 0 : ask(name, VERB_SUMMARY, "", -1, NULL);
		/* its keeper was killed, and the view went with it */
		if (err && err != ECONNREFUSED && err != ENOENT)
			ret = complain(name, err);
		free(names[i]);
	}
	free(names);
	return ret;
}

int keep__stat(const char *name)
{
	int err = ask(name, VERB_STAT, "", -1, NULL);

	return err ? complain(name, err) : 0;
}

int keep__detach(const char *name, const struct target *t)
{
	char label[512] = "";
	int sock = socket__connect(name), err;

	if (sock < 0)
		return complain(name, errno);
	close(sock);
	if (target__count(t))
		target__label(t, label, sizeof(label));
	err = ask(name, VERB_DETACH, label, -1, NULL);
	if (err != ENOENT)
		return err ? complain(name, err) : 0;
	fprintf(stderr, "kviewctl: view %s: %s is not attached\n", name, label);
	return 1;
}

int keep__remove(const char *name)
{
	int err = ask(name, VERB_REMOVE, "", -1, NULL);

	return err ? complain(name, err) : 0;
}
