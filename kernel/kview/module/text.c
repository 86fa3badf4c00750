// SPDX-License-Identifier: GPL-2.0
/* What address spaces in views run, and how one text becomes another under who runs it. */
#include <linux/mm.h>
#include <linux/string.h>

#include "memory.h"
#include "pgtable.h"
#include "region.h"
#include "text.h"

int kview_text_init(struct kview_text *t, bool joint)
{
	int ret = kview_tables_alloc(&t->tables);

	if (ret)
		return ret;
	ret = kview_tables_alloc(&t->plain);
	if (ret) {
		kview_tables_free(&t->tables);
		return ret;
	}
	memset(t->region, 0, sizeof(t->region));
	INIT_LIST_HEAD(&t->spaces);
	t->joint = joint;
	t->checked = false;
	return 0;
}

void kview_text_free(struct kview_text *t)
{
	unsigned int i;

	for (i = 0; i < KVIEW_REGIONS; i++) {
		if (!t->region[i])
			continue;
		kview_region_free(t->region[i]);
		kview_base_global_put(i);
	}
	kview_tables_free(&t->tables);
	kview_tables_free(&t->plain);
}

void kview_text_step(struct kview_tables *step, const struct kview_text *t,
		     const struct kview_text *other)
{
	unsigned int i;

	for (i = 0; i < KVIEW_REGIONS; i++) {
		const struct kview_region *r = t->region[i];

		WRITE_ONCE(step->pmd[i], r ? kview_region_small_pmd(i, r) :
					 other->region[i] ? kview_plain_pmd(i) : kview_base_pmd(i));
	}
}

void kview_text_check(struct kview_text *t)
{
	if (!KVIEW_TESTING || t->checked)
		return;
	kview_tables_check(NULL, &t->plain);
	kview_tables_check(&t->plain, &t->tables);
	t->checked = true;
}
