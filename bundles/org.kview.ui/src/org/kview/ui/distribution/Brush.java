// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.distribution;

import java.util.Optional;

import org.kview.calls.CallBox;

/** Selects calls by how long they took. */
interface Brush {
    /** There are no calls to select. */
    Brush NONE = new Brush() {
        @Override
        public boolean isPossible() {
            return false;
        }

        @Override
        public Optional<CallBox.Range> selected() {
            return Optional.empty();
        }

        @Override
        public void select(Optional<CallBox.Range> wall) {
            throw new IllegalStateException("There are no calls to select");
        }
    };

    /** Whether there are calls to select at present. */
    boolean isPossible();

    /** Those that are selected took so long, in ns; empty for all. */
    Optional<CallBox.Range> selected();

    /** Only where that is possible. */
    void select(Optional<CallBox.Range> wall);
}
