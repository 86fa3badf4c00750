// SPDX-License-Identifier: EPL-2.0

/** Between the messages of {@code agent.proto} and values. Frames are read and written by {@code org.kview.wire}. */
package org.kview.targets.wire;
