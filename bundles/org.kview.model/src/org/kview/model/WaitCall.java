// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.Objects;
import java.util.Optional;

/**
 * The system call in which a thread waited.
 *
 * @param name       "read"; empty where it was in none, or nobody told it
 * @param descriptor what its first argument was open for; empty where it is about none or several, or that is not known
 * @param ofMany     whether there were too many descriptors to be told apart: any of them
 */
public record WaitCall(String name, Optional<Descriptor> descriptor, boolean ofMany) {
    public static final WaitCall NONE = new WaitCall("", Optional.empty(), false);

    public WaitCall {
        Objects.requireNonNull(name);
        if (name.isEmpty() && (descriptor.isPresent() || ofMany) || descriptor.isPresent() && ofMany) {
            throw new IllegalArgumentException("No system call: " + name + ", " + descriptor);
        }
    }

    /** Whether it says which file, pipe or socket it was, or that these were too many. */
    public boolean hasDescriptor() {
        return descriptor.isPresent() || ofMany;
    }

    /** The same one whatever its descriptor watches by now. */
    public WaitCall withoutWatched() {
        return new WaitCall(name, descriptor.map(Descriptor::withoutWatched), ofMany);
    }

    /** "read of TCP to 127.0.0.1:6379 (descriptor 8)"; empty where nothing is known. */
    public String text() {
        return text(1);
    }

    /** Of so many different descriptors that have this text. */
    String text(int different) {
        return name + (ofMany ? " of descriptors that were too many to be told apart"
                : descriptor.map(d -> " of " + d.text(different)).orElse(""));
    }
}
