// SPDX-License-Identifier: EPL-2.0

/** What people write about the session that is open: notes, tags, bookmarks. */
package org.kview.ui.notes;
