// SPDX-License-Identifier: EPL-2.0

/** Writes a session while it is recorded, such that a crash at any moment leaves one that opens. */
package org.kview.session.write;
