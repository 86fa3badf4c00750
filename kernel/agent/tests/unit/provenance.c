// SPDX-License-Identifier: GPL-2.0
/* Which program is told as the recorded one, where the process executes another one meanwhile. */
#include <string.h>

#include "check.h"
#include "child.h"
#include "recording/provenance.h"

static char copy[] = "/tmp/kview-provenance-XXXXXX";

static void execute(const struct own_child *child, const char *file)
{
	char ready[16], go[16];

	/* Its pipes are those of this test. */
	snprintf(ready, sizeof(ready), "%d", child->ready);
	snprintf(go, sizeof(go), "%d", child->go);
	execl(file, "sh", "-c", "echo >&$0; head -c 1 <&$1 >/dev/null; exec /bin/sh -c \"$2\" $0 $1", ready, go, "echo >&$0; read x <&$1", NULL);
	_exit(1);
}

/* A shell, and then another one by another file. */
static void steps(const struct own_child *child, int how)
{
	execute(child, copy);
}

/* A file of its own, that is no other's. */
static void copy_shell(void)
{
	char command[128];
	int file = mkstemp(copy);

	snprintf(command, sizeof(command), "cp /bin/sh %s && chmod 755 %s", copy, copy);
	if (file < 0 || close(file) || system(command))
		exit(1);
}

/* The program that a reply names, of a process whose functions were looked up before it executed another one. */
static const char *told(struct provenance *provenance, pid_t pid)
{
	Kview__Wire__StartRecordingReply reply = KVIEW__WIRE__START_RECORDING_REPLY__INIT;
	struct mechanisms none = { .pid = pid };

	return provenance__fill(provenance, &reply, &none) || !reply.process ? "" : reply.process->executable;
}

int main(void)
{
	struct provenance provenance, anew;
	char own[256] = "", moved[64];
	struct error error = { 0 };
	struct own_child child;

	if (readlink("/proc/self/exe", own, sizeof(own) - 1) <= 0)
		return 1;
	copy_shell();
	snprintf(moved, sizeof(moved), "%s-moved", copy);
	child = child__start(steps, 0);
	provenance__read(&provenance, child.pid);
	check(!provenance__check(&provenance, &error), "the process runs what it ran", 0);
	child__go_on(&child);
	check(!strcmp(told(&provenance, child.pid), own), "what was looked up is told, not what is executed later", 0);
	check(provenance__check(&provenance, &error) && strstr(error.message, copy) &&
	      strstr(error.message, ", while its functions were looked up"), "executed meanwhile: that is refused", 0);
	provenance__free(&provenance);

	/* As an upgrade does with a program that runs. */
	provenance__read(&provenance, child.pid);
	check(!rename(copy, moved) && !provenance__check(&provenance, &error), "its file is renamed: it runs the same one", 0);
	check(!unlink(moved) && !provenance__check(&provenance, &error), "its file is deleted: it runs the same one", 0);
	child__go_on(&child);
	check(provenance__check(&provenance, &error), "what it executes then is refused as well", 0);
	provenance__read(&anew, child.pid);
	check(!provenance__check(&anew, &error), "and it can be recorded anew", 0);
	provenance__free(&anew);
	child__end(&child);
	check(!provenance__check(&provenance, &error), "who has ended is for others to tell", 0);
	provenance__free(&provenance);
	return failed;
}
