// SPDX-License-Identifier: EPL-2.0

/** What Trace Compass's own views show of a session. */
package org.kview.ui.tracecompass;
