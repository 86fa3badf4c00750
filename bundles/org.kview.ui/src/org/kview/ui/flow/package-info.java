// SPDX-License-Identifier: EPL-2.0

/** Which way single system calls of a process took through the kernel. */
package org.kview.ui.flow;
