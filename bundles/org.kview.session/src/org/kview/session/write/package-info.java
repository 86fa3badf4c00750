// SPDX-License-Identifier: EPL-2.0

/** Writes a session while it is recorded. After a crash at any moment there is a session that opens. */
package org.kview.session.write;
