// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh.config;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;

/** Decides whether the conditions of a {@code Match} line are true. */
final class MatchLine {
    /** What a {@code Match} line is compared with, including values that were found before it. */
    interface Subject {
        String hostName() throws SshConfigException;

        String original();

        String remoteUser();

        /** Whether this is the second reading, which {@code Match final} asks for. */
        boolean isFinalPass();

        void wantFinalPass();

        Tokens tokens() throws SshConfigException;
    }

    private final ConfigLine line;
    private final Subject subject;
    private final SshEnvironment environment;

    MatchLine(ConfigLine line, Subject subject, SshEnvironment environment) {
        this.line = line;
        this.subject = subject;
        this.environment = environment;
    }

    boolean holds() throws SshConfigException, InterruptedException {
        Iterator<String> words = words().iterator();
        boolean result = true;
        if (!words.hasNext()) {
            throw line.error("has a Match without a condition");
        }
        while (words.hasNext()) {
            String word = words.next();
            boolean negated = word.startsWith("!");
            String criterion = word.substring(negated ? 1 : 0).toLowerCase(Locale.ROOT);
            boolean one = switch (criterion) {
                case "all" -> true;
                case "canonical", "final" -> {
                    if (criterion.equals("final")) {
                        subject.wantFinalPass();
                    }
                    yield subject.isFinalPass();
                }
                case "host" -> list(words, subject.hostName());
                case "originalhost" -> list(words, subject.original());
                case "user" -> list(words, subject.remoteUser());
                case "localuser" -> list(words, environment.user());
                // As with ssh, the command is not run if an earlier condition failed.
                case "exec" -> {
                    String command = value(words);
                    yield result && succeeds(subject.tokens().expandPercents(command));
                }
                // Not evaluated here, and not skipped either: the lines below might restrict something.
                case "localnetwork", "tagged", "version", "sessiontype", "command" -> throw new SshConfigException("Line "
                        + line.number() + " of " + line.file() + " has the Match condition " + criterion
                        + ", which only OpenSSH's own client can resolve; install it (ssh), or take that line out");
                default -> throw line.error("has a Match condition that is not known, " + criterion);
            };
            result &= one != negated;
        }
        return result;
    }

    /** Newer versions accept {@code host=name}, too. */
    private List<String> words() {
        List<String> words = new ArrayList<>();
        for (String word : line.arguments()) {
            int equals = word.indexOf('=');
            if (equals > 0 && word.substring(0, equals).matches("!?[A-Za-z]+")) {
                words.add(word.substring(0, equals));
                words.add(word.substring(equals + 1));
            } else {
                words.add(word);
            }
        }
        return words;
    }

    private boolean list(Iterator<String> words, String text) throws SshConfigException {
        return SshPattern.matchesList(Arrays.asList(value(words).split(",")), text);
    }

    private String value(Iterator<String> words) throws SshConfigException {
        if (!words.hasNext()) {
            throw line.error("has a Match condition without its value");
        }
        return words.next();
    }

    private boolean succeeds(String command) throws SshConfigException, InterruptedException {
        String shell = environment.variables().getOrDefault("SHELL", "/bin/sh");
        try {
            Process process = new ProcessBuilder(shell, "-c", command).redirectErrorStream(true)
                    .redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null")))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
            return process.waitFor() == 0;
        } catch (IOException e) {
            throw line.error("has a Match exec whose command could not be started (" + e.getMessage() + ")");
        }
    }
}
