// SPDX-License-Identifier: EPL-2.0

/** The single calls that a trace's events tell of. */
package org.kview.ctf.calls;
