// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.console;

import java.util.ArrayList;
import java.util.List;

import sun.misc.Signal;
import sun.misc.SignalHandler;

/**
 * Ctrl-C and its likes, for as long as this is open. A shutdown hook would not be enough: Equinox stops its bundles at the
 * same time, and the exit code would be that of a signal.
 */
@SuppressWarnings("restriction")
public final class Signals implements AutoCloseable {
    private static final List<String> NAMES = List.of("INT", "TERM", "HUP");

    private record Former(Signal signal, SignalHandler handler) {
    }

    private final List<Former> formers = new ArrayList<>();

    /** @param action run by a thread of its own at each signal */
    public Signals(Runnable action) {
        for (String name : NAMES) {
            try {
                Signal signal = new Signal(name);
                formers.add(new Former(signal, Signal.handle(signal, received -> action.run())));
            } catch (IllegalArgumentException e) {
                // The JVM does not let us handle it, such as HUP under nohup: it stays ignored.
            }
        }
    }

    @Override
    public void close() {
        formers.forEach(former -> Signal.handle(former.signal, former.handler));
    }
}
