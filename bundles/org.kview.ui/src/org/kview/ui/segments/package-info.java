// SPDX-License-Identifier: EPL-2.0

/** Trace Compass's density view, of calls. */
package org.kview.ui.segments;
