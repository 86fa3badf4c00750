// SPDX-License-Identifier: EPL-2.0

/** What the files of a session hold, for those who write and those who read them: names, lock, JSON, interval log, checksums. */
package org.kview.session.format;
