// SPDX-License-Identifier: EPL-2.0

/** This machine as a target: its agent is a child process. */
package org.kview.targets.local;
