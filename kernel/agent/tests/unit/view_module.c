// SPDX-License-Identifier: GPL-2.0
/* Which kview modules the agent works with: features decide, a module of a later version is as good. */
#include <libkview.h>

#include "check.h"
#include "mechanism/kview_module.h"

int main(void)
{
	struct kview_info later = { .api_version = KVIEW_API_VERSION + 1, .features = ~0U };
	struct kview_info today = { .api_version = KVIEW_API_VERSION, .features = ~0U };
	struct kview_info no_returns = { .api_version = KVIEW_API_VERSION, .features = ~KVIEW_FEATURE_RETURN };

	check(kview_module__serves(&today), "view_module: of this version", today.api_version);
	check(kview_module__serves(&later), "view_module: of a later version", later.api_version);
	check(!kview_module__serves(&no_returns), "view_module: without returns it is refused", no_returns.features);
	return failed;
}
