// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What to probe, as a user writes it: {@code BIN:FUNC}, {@code kernel:FUNC}, {@code syscall:NAME},
 * {@code tracepoint:SYSTEM:NAME}, {@code usdt:BIN:PROVIDER:NAME}, or {@code usdt:BIN:PROVIDER:BEGIN..END}.
 *
 * @param kind    what binary and pattern name
 * @param binary  a path, or the base name of an executable or library that the process maps; empty where it is none
 * @param pattern an exact name, a demangled name, or a glob; of a tracepoint with its system before the colon, of a static probe, or two of them, with its provider
 */
public record ProbeSpec(Kind kind, String binary, String pattern) {

    private static final Pattern TRACEPOINT = Pattern.compile("[^:]+:[^:]+");
    private static final Pattern USDT = Pattern.compile("(?<binary>.+):(?<probe>[^:]+:[^:]+)");
    /** Names alone: which begin and which end belong together no glob tells. */
    private static final Pattern PAIR = Pattern.compile("[^:*?\\[.]+:[^:*?\\[.]+[.][.][^:*?\\[.]+");

    /** What is to be probed. */
    public enum Kind {
        USER_FUNCTION, KERNEL_FUNCTION, SYSTEM_CALL, TRACEPOINT, USDT, USDT_PAIR
    }

    /** Functions of a program or library. */
    public ProbeSpec(String binary, String pattern) {
        this(Kind.USER_FUNCTION, binary, pattern);
    }

    /**
     * Parses the text; empty if it has none of these forms. The first single colon separates the parts, because names may
     * contain "::". A program whose name is "syscall", "kernel", "tracepoint" or "usdt" has to be given by its path.
     */
    public static Optional<ProbeSpec> parse(String text) {
        for (int i = text.indexOf(':'); i >= 0; i = text.indexOf(':', i + 1)) {
            if (i + 1 < text.length() && text.charAt(i + 1) == ':') {
                i++;
            } else if (i > 0 && i + 1 < text.length()) {
                String binary = text.substring(0, i + 1);
                String pattern = text.substring(i + 1);
                if (binary.equals(ProbePoint.Tracepoint.PREFIX)) {
                    return TRACEPOINT.matcher(pattern).matches() ? Optional.of(new ProbeSpec(Kind.TRACEPOINT, "", pattern))
                            : Optional.empty();
                }
                if (binary.equals(ProbePoint.Usdt.PREFIX)) {
                    Matcher usdt = USDT.matcher(pattern);
                    return usdt.matches() ? ofStatic(usdt.group("binary"), usdt.group("probe")) : Optional.empty();
                }
                return Optional.of(switch (binary) {
                    case ProbePoint.SystemCall.PREFIX -> new ProbeSpec(Kind.SYSTEM_CALL, "", pattern);
                    case ProbePoint.KernelFunction.PREFIX -> new ProbeSpec(Kind.KERNEL_FUNCTION, "", pattern);
                    default -> new ProbeSpec(text.substring(0, i), pattern);
                });
            }
        }
        return Optional.empty();
    }

    private static Optional<ProbeSpec> ofStatic(String binary, String probe) {
        if (!probe.contains(ProbePoint.Usdt.TO)) {
            return Optional.of(new ProbeSpec(Kind.USDT, binary, probe));
        }
        return PAIR.matcher(probe).matches() ? Optional.of(new ProbeSpec(Kind.USDT_PAIR, binary, probe)) : Optional.empty();
    }

    /** Whether it may match any number of functions, including none. */
    public boolean isGlob() {
        return pattern.chars().anyMatch(c -> c == '*' || c == '?' || c == '[');
    }

    @Override
    public String toString() {
        return switch (kind) {
            case SYSTEM_CALL -> new ProbePoint.SystemCall(pattern).label();
            case KERNEL_FUNCTION -> new ProbePoint.KernelFunction("", pattern).label();
            case TRACEPOINT -> ProbePoint.Tracepoint.PREFIX + pattern;
            case USDT, USDT_PAIR -> ProbePoint.Usdt.PREFIX + binary + ":" + pattern;
            case USER_FUNCTION -> binary + ":" + pattern;
        };
    }
}
