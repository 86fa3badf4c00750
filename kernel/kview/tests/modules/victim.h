/* SPDX-License-Identifier: GPL-2.0 */
/* Between the files of a module that is traced. */
#ifndef KVIEW_VICTIM_H
#define KVIEW_VICTIM_H

/* Returns @n, by a static function that has a namesake in another file. */
int kview_victim_twin(int n);

#endif
