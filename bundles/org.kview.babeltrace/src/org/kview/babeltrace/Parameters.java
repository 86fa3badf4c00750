// SPDX-License-Identifier: EPL-2.0
package org.kview.babeltrace;

import java.lang.foreign.Arena;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a component is created with; immutable. */
public final class Parameters {
    public static final Parameters NONE = new Parameters(Map.of());

    private final Map<String, Parameter> byName;

    private sealed interface Parameter {
    }

    private record Text(String value) implements Parameter {
    }

    private record Flag(boolean value) implements Parameter {
    }

    private record Number(long value) implements Parameter {
    }

    private record Texts(List<String> values) implements Parameter {
    }

    private Parameters(Map<String, Parameter> byName) {
        this.byName = byName;
    }

    public Parameters with(String name, String value) {
        return with(name, new Text(value));
    }

    public Parameters with(String name, boolean value) {
        return with(name, new Flag(value));
    }

    public Parameters with(String name, long value) {
        return with(name, new Number(value));
    }

    public Parameters with(String name, List<String> values) {
        return with(name, new Texts(List.copyOf(values)));
    }

    private Parameters with(String name, Parameter parameter) {
        Map<String, Parameter> more = new LinkedHashMap<>(byName);
        more.put(name, parameter);
        return new Parameters(more);
    }

    /** A map of the library's, which the caller puts back. */
    long create() throws BabeltraceException {
        try (Arena arena = Arena.ofConfined()) {
            long map = (long) Native.MAP_CREATE.invokeExact();
            int status = map == 0 ? Native.ERROR : Native.OK;
            for (Map.Entry<String, Parameter> entry : byName.entrySet()) {
                status = status == Native.OK ? add(arena, map, entry.getKey(), entry.getValue()) : status;
            }
            if (status != Native.OK) {
                BabeltraceException failure = BabeltraceException.taken("A component's parameters could not be made");
                Native.VALUE_PUT.invokeExact(map);
                throw failure;
            }
            return map;
        } catch (BabeltraceException e) {
            throw e;
        } catch (Throwable e) {
            throw Native.broken(e);
        }
    }

    private static int add(Arena arena, long map, String name, Parameter parameter) throws Throwable {
        long key = arena.allocateFrom(name).address();
        switch (parameter) {
            case Text text -> {
                return (int) Native.MAP_TEXT.invokeExact(map, key, arena.allocateFrom(text.value()).address());
            }
            case Flag flag -> {
                return (int) Native.MAP_BOOL.invokeExact(map, key, flag.value() ? 1 : 0);
            }
            case Number number -> {
                return (int) Native.MAP_SIGNED.invokeExact(map, key, number.value());
            }
            case Texts texts -> {
                long out = arena.allocate(Long.BYTES, Long.BYTES).address();
                int status = (int) Native.MAP_ARRAY.invokeExact(map, key, out);
                for (String value : texts.values()) {
                    status = status == Native.OK ? (int) Native.ARRAY_TEXT.invokeExact(Native.longAt(out),
                            arena.allocateFrom(value).address()) : status;
                }
                return status;
            }
        }
    }
}
