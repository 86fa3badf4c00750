// SPDX-License-Identifier: EPL-2.0

/** Tests of {@code org.kview.recording}. */
package org.kview.recording;
