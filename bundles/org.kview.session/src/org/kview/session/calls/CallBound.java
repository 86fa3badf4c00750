// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

/**
 * What a number in a column must be between, both included. It only rules calls out: whether others are wanted is asked of each.
 *
 * @param column a number, or the cause, whose number is the ordinal of its metric
 */
record CallBound(CallColumn column, long least, long most) {
}
