// SPDX-License-Identifier: GPL-2.0
#include <string.h>
#include <unistd.h>

#include "base/rights.h"
#include "permission/access.h"
#include "permission/permission.h"

int reading__begin(struct reading *reading, pid_t pid, const char *binary, struct error *error)
{
	*reading = (struct reading){ .process = -1 };
	if (permission__process(pid, binary, error))
		return -1;
	if (pid && caller.restricted) {
		reading->process = access__open_process(pid);
		reading->by_policy = reading->process >= 0 &&
				     access__to(reading->process) == ACCESS_BY_POLICY;
	}
	if (!reading->by_policy)
		rights__lower();
	return 0;
}

bool reading__end(const struct reading *reading, pid_t pid, int *result, struct error *error)
{
	bool allowed = !reading->by_policy || policy__allows(&policy, reading->process);

	if (!reading->by_policy)
		rights__restore();
	if (reading->process >= 0)
		close(reading->process);
	if (allowed || *result)
		return false;
	*result = access__refuse(pid, error);
	return true;
}

int permission__find(struct fn_list *list, const struct fn_query *query, struct error *error)
{
	struct fn_query asked = *query;
	struct reading reading;
	int result;

	memset(list, 0, sizeof(*list));
	if (reading__begin(&reading, query->pid, query->binary, error))
		return -1;
	asked.no_raising_files = caller.restricted && query->pid &&
				 !(reading.by_policy && policy.all_processes);
	result = fn_list__find(list, &asked, error);
	if (reading__end(&reading, query->pid, &result, error))
		fn_list__free(list);
	return result;
}

int permission__files(struct process_files *files, pid_t pid, struct error *error)
{
	struct reading reading;
	int result;

	memset(files, 0, sizeof(*files));
	if (reading__begin(&reading, pid, NULL, error))
		return -1;
	result = process_files__read(files, pid, error);
	if (reading__end(&reading, pid, &result, error))
		process_files__free(files);
	return result;
}

int permission__safety(struct fn_process_safety *safety, pid_t pid, struct error *error)
{
	struct reading reading;
	int result = 0;

	if (reading__begin(&reading, pid, NULL, error))
		return -1;
	fn_process_safety__read(safety, pid, NULL);
	reading__end(&reading, pid, &result, error);
	return result;
}
