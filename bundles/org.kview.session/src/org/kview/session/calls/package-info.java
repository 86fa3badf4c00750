// SPDX-License-Identifier: EPL-2.0

/** The single calls of a session: which of them are wanted, in which order, and how they are written. */
package org.kview.session.calls;
