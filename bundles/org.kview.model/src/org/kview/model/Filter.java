// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.Arrays;
import java.util.Optional;

/** Where the calls and context switches of other processes are filtered out. */
public enum Filter {
    /** The best that the host offers. */
    AUTO("auto"),
    /** A kernel view of the traced process: others pay nothing. */
    VIEW("view"),
    /** In the eBPF program. */
    IN("in"),
    /** After the data was collected. */
    POST("post");

    private final String id;

    Filter(String id) {
        this.id = id;
    }

    /** The name on the command line and in sessions; never changes. */
    public String id() {
        return id;
    }

    public static Optional<Filter> ofId(String id) {
        return Arrays.stream(values()).filter(f -> f.id.equals(id)).findFirst();
    }
}
