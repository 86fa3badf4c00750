// SPDX-License-Identifier: EPL-2.0

/** A session's calls as a profile that pprof reads: which stacks of functions took how much time, and for which causes. */
package org.kview.session.pprof;
