// SPDX-License-Identifier: EPL-2.0

/** The session that is open, and the recording that goes on. */
package org.kview.ui.session;
