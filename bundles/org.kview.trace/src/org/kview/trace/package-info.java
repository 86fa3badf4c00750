// SPDX-License-Identifier: EPL-2.0

/** The events of sessions as traces of Trace Compass: the type of such a trace, and the columns of its events. */
package org.kview.trace;
