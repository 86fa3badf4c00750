// SPDX-License-Identifier: EPL-2.0
/** Hosts reached over SSH, with the agent brought there and started. */
package org.kview.ssh;
