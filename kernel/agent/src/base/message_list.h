/* SPDX-License-Identifier: GPL-2.0 */
/* A message's repeated field, as protobuf-c needs it: an array of pointers. */
#ifndef KVIEW_MESSAGE_LIST_H
#define KVIEW_MESSAGE_LIST_H

#include <stddef.h>

/*
 * Allocates an array of pointers to nr messages of this size, followed by the messages, which are
 * not initialised.  free() frees both.  NULL only if there is no memory, not for nr 0.
 */
void *message_list__new(size_t nr, size_t size);

#endif
