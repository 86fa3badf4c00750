// SPDX-License-Identifier: EPL-2.0

/** Brings sessions to an end whose recorder died, and makes new ones of what is left of those that do not open. */
package org.kview.session.repair;
