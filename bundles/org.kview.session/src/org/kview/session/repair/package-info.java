// SPDX-License-Identifier: EPL-2.0

/** Finishes sessions whose recorder died, and makes a new session from what is left of one that does not open. */
package org.kview.session.repair;
