// SPDX-License-Identifier: EPL-2.0
/** The ways of system calls through the kernel, as trees. */
package org.kview.recording.flow;
