// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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
    private final StoringListener told;
    private final Gate gate = new Gate();
    private final List<StoreGrowth> growths = new ArrayList<>();
    private Optional<StoredSession> last = Optional.empty();
    private boolean left;

    /** @param told hears of all calls up to some moment, now and then */
    GrowingSession(Maker maker, StoringListener told) {
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
        last = Optional.of(calls);
        told.growing(new SessionCallStore(calls, gate, () -> { }));
    }

    /**
     * No more calls come: those that there are stay until who was told of them closes them.
     *
     * @param then lets go of what they are read from
     * @return whether there are some, and somebody was told
     */
    boolean leave(Runnable then) {
        if (last.isEmpty()) {
            return false;
        }
        left = true;
        told.left(new SessionCallStore(last.get(), gate, () -> {
            letGo();
            then.run();
        }));
        return true;
    }

    private void letGo() {
        growths.forEach(StoreGrowth::close);
        growths.clear();
    }

    /** Unless they are left to somebody else. */
    @Override
    public void close() {
        if (!left) {
            gate.close(this::letGo);
        }
    }
}
