// SPDX-License-Identifier: EPL-2.0

/** The sessions in folders: found, sorted, renamed, removed. */
package org.kview.ui.sessions;
