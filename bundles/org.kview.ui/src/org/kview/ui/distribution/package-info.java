// SPDX-License-Identifier: EPL-2.0

/** How long calls took, and what that says: the distribution of the functions that are selected. */
package org.kview.ui.distribution;
