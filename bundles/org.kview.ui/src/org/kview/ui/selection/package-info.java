// SPDX-License-Identifier: EPL-2.0

/** Which functions, calls and times are selected: each view tells it to the others, and to Trace Compass. */
package org.kview.ui.selection;
