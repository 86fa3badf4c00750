// SPDX-License-Identifier: EPL-2.0

/** Where the stores of calls of sessions are kept: beside no session, but in the user's cache. */
package org.kview.session.store;
