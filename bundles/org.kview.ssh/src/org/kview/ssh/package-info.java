// SPDX-License-Identifier: EPL-2.0
/** Hosts reached over SSH, where the agent is uploaded and started. */
package org.kview.ssh;
