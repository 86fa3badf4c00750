// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "client/replies.h"
#include "lookup/names.h"
#include "lookup/process_files.h"
#include "permission/permission.h"

/* A path that can't be shown unchanged is left out: the client could not ask for it. */
static bool is_text(const char *path)
{
	char *printable = name__printable(path);
	bool same = printable && !strcmp(printable, path);

	free(printable);
	return same;
}

void reply__mapped_files(struct wire *wire, uint32_t request_id,
			 const Kview__Wire__ListMappedFilesRequest *request)
{
	Kview__Wire__ListMappedFilesReply body = KVIEW__WIRE__LIST_MAPPED_FILES_REPLY__INIT;
	struct process_files files = { 0 };
	struct error error = { 0 };
	size_t i;

	if (permission__files(&files, request->pid, &error))
		goto out;
	body.paths = calloc(files.nr + 1, sizeof(*body.paths));
	if (!body.paths) {
		error__set(&error, ERR_FAILED, "Out of memory.");
		goto out;
	}
	for (i = 0; i < files.nr; i++)
		if (files.all[i].is_executable && is_text(files.all[i].path))
			body.paths[body.n_paths++] = files.all[i].path;
	wire__send(wire, request_id, KVIEW__WIRE__FROM_AGENT__BODY_LIST_MAPPED_FILES, &body);
out:
	if (error.code)
		reply__error(wire, request_id, &error);
	error__free(&error);
	free(body.paths);
	process_files__free(&files);
}
