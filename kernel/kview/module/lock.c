// SPDX-License-Identifier: GPL-2.0
#include <linux/mutex.h>

#include "lock.h"

DEFINE_MUTEX(kview_lock);	/* see lock.h */
