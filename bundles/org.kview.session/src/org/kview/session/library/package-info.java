// SPDX-License-Identifier: EPL-2.0

/** Folders full of sessions: listing and watching them, and what is done to whole sessions. */
package org.kview.session.library;
