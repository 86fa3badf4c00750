// SPDX-License-Identifier: EPL-2.0

/** What was open with a session, and how it comes back with it. */
package org.kview.ui.session.memory;
