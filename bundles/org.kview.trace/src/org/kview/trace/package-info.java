// SPDX-License-Identifier: EPL-2.0

/** Sessions as Trace Compass traces: trace type, segment stores and state. */
package org.kview.trace;
