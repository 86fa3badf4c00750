// SPDX-License-Identifier: GPL-2.0
/* A library that is loaded late, or not at all. */
#include "common.h"

PROBED int f_late(int x) { END(); return x + 1; }
