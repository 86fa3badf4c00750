// SPDX-License-Identifier: EPL-2.0

/** What Trace Compass's own views and editors need to work here. */
package org.kview.ui.tracecompass;
