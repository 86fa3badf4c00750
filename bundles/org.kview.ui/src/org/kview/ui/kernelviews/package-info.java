// SPDX-License-Identifier: EPL-2.0

/** The kernel views of a target. */
package org.kview.ui.kernelviews;
