// SPDX-License-Identifier: EPL-2.0
package org.kview.babeltrace;

/** A component of a graph, which owns it. */
public sealed interface Component {
    /** The name within its graph. */
    String name();

    /** Where messages come from, such as {@code source.ctf.fs}. */
    final class Source implements Component {
        private final String name;
        final long address;

        Source(String name, long address) {
            this.name = name;
            this.address = address;
        }

        @Override
        public String name() {
            return name;
        }
    }

    /** What messages go through, such as {@code filter.utils.muxer}. */
    final class Filter implements Component {
        private final String name;
        final long address;

        Filter(String name, long address) {
            this.name = name;
            this.address = address;
        }

        @Override
        public String name() {
            return name;
        }
    }
}
