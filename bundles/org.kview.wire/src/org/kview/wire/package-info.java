// SPDX-License-Identifier: EPL-2.0

/** The messages between the workbench and a host's agent, which are generated, and the frames around them. */
package org.kview.wire;
