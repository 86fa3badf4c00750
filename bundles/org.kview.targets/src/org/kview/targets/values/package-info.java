// SPDX-License-Identifier: EPL-2.0

/** What is asked of a host and what it answers: plain values, and those who hear of them. Knows nothing else of this bundle. */
package org.kview.targets.values;
