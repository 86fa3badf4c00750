// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.targets;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.kview.targets.local.LocalTarget;

import picocli.CommandLine.ParseResult;

/** What an ordinary user may do where this machine refuses something. */
public final class Rights {
    private static final String ADVICE = " Start kview with sudo (by itself it tries sudo -n only, which asks for no password),"
            + " or let an administrator install the agent, as docs/security.md describes";
    /** Part of what the agent says if this user lacks rights. A policy's refusal reads otherwise: sudo does not help there. */
    private static final String TAKES_MORE = "it takes ";

    private Rights() {
    }

    /** To be appended to the refusal; empty for root, if another host refused, and if it is not rights that are missing. */
    public static String advice(String refusal, ParseResult whole) {
        return isRoot() || !refusal.contains(TAKES_MORE) || !isHere(whole) ? "" : ADVICE;
    }

    /** Whether the command that was given works on this machine alone. */
    static boolean isHere(ParseResult whole) {
        ParseResult command = whole;
        while (command.hasSubcommand()) {
            command = command.subcommand();
        }
        Object targets = command.matchedOptionValue("--target", (Object) LocalTarget.NAME);
        return targets.equals(LocalTarget.NAME) || targets.equals(List.of(LocalTarget.NAME));
    }

    /** The same as a sentence of its own. */
    public static String advice(String target) {
        return isRoot() || !target.equals(LocalTarget.NAME) ? "" : ADVICE.strip();
    }

    private static boolean isRoot() {
        try {
            return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
        } catch (IOException e) {
            return false;
        }
    }
}
