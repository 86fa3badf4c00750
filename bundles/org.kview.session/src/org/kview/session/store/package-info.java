// SPDX-License-Identifier: EPL-2.0

/** Where the stores of sessions' calls are kept: in the user's cache, not beside the sessions. */
package org.kview.session.store;
