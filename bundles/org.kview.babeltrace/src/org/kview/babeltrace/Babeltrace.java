// SPDX-License-Identifier: EPL-2.0
package org.kview.babeltrace;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** The library, loaded. Safe for use by several threads; what it returns is not. */
public final class Babeltrace {
    /** A system property, read once: the library's file, if it is not where the system's loader looks for it. */
    public static final String LIBRARY_PROPERTY = "org.kview.babeltrace.library";

    private static final String NEEDED = "libbabeltrace2, the library that reads traces, is not installed; install it, on Debian"
            + " by 'apt-get install libbabeltrace2-0'";

    private final Version version;

    /** A version of the library, as in 2.0.4. From 2.1 it reads CTF 2, before only CTF 1.8. */
    public record Version(int major, int minor, int patch) {
        public boolean readsCtf2() {
            return major > 2 || minor >= 1;
        }

        @Override
        public String toString() {
            return major + "." + minor + "." + patch;
        }
    }

    private Babeltrace(Version version) {
        this.version = version;
    }

    /**
     * Finds the library where the system's loader does, loads it once, and sets it to log nothing.
     *
     * @throws BabeltraceException if it is not there, or lacks what is needed: the sentence says what to do
     */
    public static Babeltrace load() throws BabeltraceException {
        if (!Library.isThere()) {
            throw new BabeltraceException(NEEDED);
        }
        try {
            Objects.requireNonNull(Native.VERSION_MAJOR);
            Objects.requireNonNull(NativeTypes.TYPE);
            List<String> missing = Library.missing();
            if (!missing.isEmpty()) {
                throw new BabeltraceException("The libbabeltrace2 that is installed can't be used here: it has no "
                        + missing.getFirst() + "; install version 2.0 or a later one of version 2");
            }
            Version version = new Version((int) Native.VERSION_MAJOR.invokeExact(), (int) Native.VERSION_MINOR.invokeExact(),
                    (int) Native.VERSION_PATCH.invokeExact());
            Native.SET_LOG_LEVEL.invokeExact(Native.LOG_NOTHING);
            return new Babeltrace(version);
        } catch (BabeltraceException e) {
            throw e;
        } catch (Throwable e) {
            throw Native.broken(e);
        }
    }

    public Version version() {
        return version;
    }

    /** A new graph, which the caller closes. */
    public Graph graph() throws BabeltraceException {
        return new Graph();
    }

    /**
     * Opens traces in the Common Trace Format, to read their events in the order of their times.
     *
     * @param folders each with a trace, or with folders that hold traces, as LTTng writes them
     * @return what the caller closes
     * @throws BabeltraceException if there is no trace, or one can't be opened
     */
    public TraceReader open(List<Path> folders) throws BabeltraceException {
        return TraceReader.open(this, folders);
    }
}
