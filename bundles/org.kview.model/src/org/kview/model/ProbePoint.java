// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.Objects;

/**
 * What a probe measures. Today's agents record functions of programs and libraries, system calls, functions
 * of the kernel, and its tracepoints; files may contain the other kinds.
 */
public sealed interface ProbePoint {

    /** The name in files; never changes. */
    String kind();

    /** The path of the executable or library that it is in, as the process sees it; empty if it is in none. */
    default String binary() {
        return "";
    }

    /** Its name in the symbol table; empty if it is not a function. */
    default String symbol() {
        return "";
    }

    /** Its address in the file's address space; 0 if it has none, or it is not known. */
    default long address() {
        return 0;
    }

    /** The file offset of its entry; 0 if it has none, or it is not known. */
    default long fileOffset() {
        return 0;
    }

    /** The size of its code; 0 if it has none, or it is not known. */
    default long sizeBytes() {
        return 0;
    }

    /** A function of a program or library. Its address, offset and size are 0 where they are not known. */
    record UserFunction(String binary, String symbol, long address, long fileOffset, long sizeBytes)
            implements ProbePoint {
        public static final String KIND = "user_function";

        public UserFunction {
            Objects.requireNonNull(binary);
            Objects.requireNonNull(symbol);
        }

        @Override
        public String kind() {
            return KIND;
        }
    }

    /**
     * A function of the kernel.
     *
     * @param module that it is part of; empty for the kernel itself
     */
    record KernelFunction(String module, String symbol) implements ProbePoint {
        public static final String KIND = "kernel_function";
        /** Precedes its name among functions' names: "kernel:vfs_read". */
        public static final String PREFIX = "kernel:";

        public KernelFunction {
            Objects.requireNonNull(module);
            Objects.requireNonNull(symbol);
        }

        /** "kernel:vfs_read". */
        public String label() {
            return PREFIX + symbol;
        }

        @Override
        public String kind() {
            return KIND;
        }
    }

    /**
     * A system call, from where the kernel enters it to where it leaves it.
     *
     * @param name as in the kernel's headers: "read"
     */
    record SystemCall(String name) implements ProbePoint {
        public static final String KIND = "system_call";
        /** Precedes its name among functions' names: "syscall:read". */
        public static final String PREFIX = "syscall:";

        public SystemCall {
            Objects.requireNonNull(name);
        }

        /** "syscall:read". */
        public String label() {
            return PREFIX + name;
        }

        @Override
        public String kind() {
            return KIND;
        }
    }

    /** A tracepoint in the kernel's source, for example "sched", "sched_switch". Hits of it are counted, which take no time. */
    record Tracepoint(String category, String name) implements ProbePoint {
        public static final String KIND = "tracepoint";
        /** Precedes its name among functions' names: "tracepoint:sched:sched_switch". */
        public static final String PREFIX = "tracepoint:";

        public Tracepoint {
            Objects.requireNonNull(category);
            Objects.requireNonNull(name);
        }

        /** The one of that "sched:sched_switch"; without a colon it has no category. */
        public static Tracepoint of(String categoryAndName) {
            int colon = categoryAndName.indexOf(':');
            return new Tracepoint(categoryAndName.substring(0, Math.max(colon, 0)), categoryAndName.substring(colon + 1));
        }

        /** "tracepoint:sched:sched_switch". */
        public String label() {
            return PREFIX + category + ":" + name;
        }

        @Override
        public String kind() {
            return KIND;
        }
    }

    /**
     * A static probe in the source of a program or library, whose hits are counted, which take no time; or two of them, between which
     * calls are.
     *
     * @param name of both, with {@value #TO} between: "query__start..query__done"
     */
    record Usdt(String binary, String provider, String name) implements ProbePoint {
        public static final String KIND = "usdt";
        /** Stands between the names of a pair. */
        public static final String TO = "..";
        /** Precedes its file's name among functions' names: "usdt:postgres:postgresql:query__start". */
        public static final String PREFIX = "usdt:";

        public Usdt {
            Objects.requireNonNull(binary);
            Objects.requireNonNull(provider);
            Objects.requireNonNull(name);
        }

        /** The one of that "postgresql:query__start" in a file; without a colon it has no provider. */
        public static Usdt of(String binary, String providerAndName) {
            int colon = providerAndName.indexOf(':');
            return new Usdt(binary, providerAndName.substring(0, Math.max(colon, 0)), providerAndName.substring(colon + 1));
        }

        /** Whether calls are between two probes. */
        public boolean isPair() {
            return name.contains(TO);
        }

        /** Of a pair the probe where calls begin. */
        public String begins() {
            return name.substring(0, name.indexOf(TO));
        }

        /** Of a pair the one where they end. */
        public String ends() {
            return name.substring(name.indexOf(TO) + TO.length());
        }

        /** "usdt:postgres:postgresql:query__start". */
        public String label() {
            return labelIn(binary.substring(binary.lastIndexOf('/') + 1));
        }

        /** As a user writes it, with this for its file. */
        public String labelIn(String file) {
            return PREFIX + file + ":" + provider + ":" + name;
        }

        @Override
        public String kind() {
            return KIND;
        }
    }

    /**
     * A point of a kind that only newer versions know.
     *
     * @param kind as the file names it; empty if it names none
     */
    record Unknown(String kind, String binary) implements ProbePoint {
        public Unknown {
            Objects.requireNonNull(kind);
            Objects.requireNonNull(binary);
        }
    }
}
