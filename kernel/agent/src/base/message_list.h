/* SPDX-License-Identifier: GPL-2.0 */
/* A message's repeated field, as protobuf-c wants it: an array of addresses. */
#ifndef KVIEW_MESSAGE_LIST_H
#define KVIEW_MESSAGE_LIST_H

#include <stddef.h>

/*
 * The addresses of nr messages of a size, which stand behind them and are not initialised yet.
 * free() frees both.  Never NULL for want of messages; NULL: no memory.
 */
void *message_list__new(size_t nr, size_t size);

#endif
