// SPDX-License-Identifier: EPL-2.0

/** The command that tells which way single system calls took through the kernel. */
package org.kview.cli.flow;
