// SPDX-License-Identifier: EPL-2.0
package org.kview.babeltrace;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The native library, and its functions by their names. Stays loaded once it is. */
final class Library {
    private static final String FILE = System.getProperty(Babeltrace.LIBRARY_PROPERTY, "libbabeltrace2.so.0");

    private static final Linker LINKER = Linker.nativeLinker();
    private static final Optional<SymbolLookup> SYMBOLS = symbols();
    private static final List<String> MISSING = new ArrayList<>();

    private Library() {
    }

    private static Optional<SymbolLookup> symbols() {
        try {
            return Optional.of(SymbolLookup.libraryLookup(FILE, Arena.global()));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    static boolean isThere() {
        return SYMBOLS.isPresent();
    }

    /** Functions that were asked for and that this version of the library does not have. */
    static synchronized List<String> missing() {
        return List.copyOf(MISSING);
    }

    /** A function that may take long, or call back. */
    static MethodHandle function(String name, MemoryLayout result, MemoryLayout... arguments) {
        return handle(name, FunctionDescriptor.of(result, arguments));
    }

    /** One that returns nothing. */
    static MethodHandle action(String name, MemoryLayout... arguments) {
        return handle(name, FunctionDescriptor.ofVoid(arguments));
    }

    /** One that only looks something up: a call costs little, as the JVM can't stop the thread within. */
    static MethodHandle getter(String name, MemoryLayout result, MemoryLayout... arguments) {
        return handle(name, FunctionDescriptor.of(result, arguments), Linker.Option.critical(false));
    }

    /** The same, of a function that only later versions have: it is called where they tell of what it gives. */
    static MethodHandle laterGetter(String name, MemoryLayout result, MemoryLayout... arguments) {
        FunctionDescriptor type = FunctionDescriptor.of(result, arguments);
        return SYMBOLS.flatMap(symbols -> symbols.find(name))
                .map(address -> LINKER.downcallHandle(address, type, Linker.Option.critical(false)))
                .orElseGet(() -> missing(name, type.toMethodType()));
    }

    private static synchronized MethodHandle handle(String name, FunctionDescriptor type, Linker.Option... options) {
        return SYMBOLS.flatMap(symbols -> symbols.find(name)).map(address -> LINKER.downcallHandle(address, type, options))
                .orElseGet(() -> {
                    MISSING.add(name);
                    return missing(name, type.toMethodType());
                });
    }

    private static MethodHandle missing(String name, MethodType type) {
        MethodHandle thrower = MethodHandles.throwException(type.returnType(), UnsatisfiedLinkError.class);
        return MethodHandles.dropArguments(thrower.bindTo(new UnsatisfiedLinkError(name)), 0, type.parameterList());
    }
}
