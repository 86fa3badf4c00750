// SPDX-License-Identifier: EPL-2.0
package org.kview.calls;

/** The columns of a level of turns. */
enum TurnLevelField {
    SLOT,
    TID,
    /** The ordinal of its metric. */
    STATE,
    NANOS
}
