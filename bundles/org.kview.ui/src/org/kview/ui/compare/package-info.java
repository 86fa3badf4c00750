// SPDX-License-Identifier: EPL-2.0

/** Two sessions, or two groups of them, side by side. */
package org.kview.ui.compare;
