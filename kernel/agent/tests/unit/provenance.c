// SPDX-License-Identifier: GPL-2.0
/* Which program is told as the recorded one, where the process executes another one meanwhile. */
#include <string.h>

#include "check.h"
#include "child.h"
#include "recording/provenance.h"

static void steps(const struct own_child *child, int how)
{
	char ready[16], go[16];

	/* Its pipes are those of this test. */
	snprintf(ready, sizeof(ready), "%d", child->ready);
	snprintf(go, sizeof(go), "%d", child->go);
	execl("/bin/sh", "sh", "-c", "echo >&$0; read x <&$1", ready, go, NULL);
	_exit(1);
}

/* The program that a reply names, of a process whose functions were looked up before it executed /bin/sh. */
static const char *told(struct provenance *provenance, pid_t pid)
{
	Kview__Wire__StartRecordingReply reply = KVIEW__WIRE__START_RECORDING_REPLY__INIT;
	struct mechanisms none = { .pid = pid };

	return provenance__fill(provenance, &reply, &none) || !reply.process ? "" : reply.process->executable;
}

int main(void)
{
	struct own_child child = child__start(steps, 0);
	struct provenance provenance;
	struct error error = { 0 };
	char own[256] = "";

	if (readlink("/proc/self/exe", own, sizeof(own) - 1) <= 0)
		return 1;
	provenance__read(&provenance, child.pid);
	check(!provenance__check(&provenance, &error), "the process runs what it ran", 0);
	child__go_on(&child);
	check(!strcmp(told(&provenance, child.pid), own), "what was looked up is told, not what is executed later", 0);
	check(provenance__check(&provenance, &error) && strstr(error.message, "sh, while its functions were looked up"),
	      "executed meanwhile: that is refused", 0);
	child__end(&child);
	check(!provenance__check(&provenance, &error), "who has ended is for others to tell", 0);
	provenance__free(&provenance);
	return failed;
}
