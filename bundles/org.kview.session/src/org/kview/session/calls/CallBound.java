// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

/**
 * The least and the largest number that a column of a wanted call may hold. A bound only rules calls out: whether the others
 * are wanted is checked call by call.
 *
 * @param column a number, or the cause, whose number is the ordinal of its metric
 */
record CallBound(CallColumn column, long least, long most) {
}
