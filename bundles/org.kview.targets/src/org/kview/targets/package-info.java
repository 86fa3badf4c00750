// SPDX-License-Identifier: EPL-2.0

/** Targets and their agents: every request to a host goes through {@link org.kview.targets.Agent}. */
package org.kview.targets;
