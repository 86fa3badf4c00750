// SPDX-License-Identifier: EPL-2.0

/** Converts between messages of {@code agent.proto} and values. {@code org.kview.wire} reads and writes the frames. */
package org.kview.targets.wire;
