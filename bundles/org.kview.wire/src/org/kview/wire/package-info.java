// SPDX-License-Identifier: EPL-2.0

/** Framing and the messages between the workbench and a host's agent; the messages are generated. */
package org.kview.wire;
