// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import org.kview.calls.CallStore;
import org.kview.calls.StoreGrowth;
import org.kview.session.SessionException;

/** The calls of a session while their stores are made. What it told of is good until it is closed. */
final class GrowingSession implements AutoCloseable {
    /** Makes what can be asked of the stores of hosts, of which the last is not whole. */
    @FunctionalInterface
    interface Maker {
        StoredSession of(List<CallStore> stores) throws SessionException;
    }

    private final Maker maker;
    private final Consumer<SessionCallStore> told;
    private final Gate gate = new Gate();
    private final List<StoreGrowth> growths = new ArrayList<>();

    /** @param told hears of all calls up to some moment, now and then */
    GrowingSession(Maker maker, Consumer<SessionCallStore> told) {
        this.maker = maker;
        this.told = told;
    }

    /**
     * Shows the store of a host while it is made.
     *
     * @param whole those of the hosts before it
     */
    StoreGrowth host(List<CallStore> whole) {
        List<CallStore> before = List.copyOf(whole);
        StoreGrowth growth = new StoreGrowth(store -> {
            List<CallStore> all = new ArrayList<>(before);
            all.add(store);
            tell(all);
        });
        growths.add(growth);
        return growth;
    }

    private void tell(List<CallStore> all) {
        StoredSession calls;
        try {
            calls = maker.of(all);
        } catch (SessionException e) {
            // When all are there it is thrown once more.
            return;
        }
        told.accept(new SessionCallStore(calls, gate, this::close));
    }

    @Override
    public void close() {
        gate.close(() -> {
            growths.forEach(StoreGrowth::close);
            growths.clear();
        });
    }
}
