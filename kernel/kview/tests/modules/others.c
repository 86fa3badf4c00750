// SPDX-License-Identifier: GPL-2.0
/* The victim once more: a second module with functions of the same names, but for the one that reads. */
#define kview_victim_read	kview_others_read
#define PROC			"kview-others"
#include "victim.c"
