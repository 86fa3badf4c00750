// SPDX-License-Identifier: EPL-2.0
package org.kview.session.library;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import org.kview.model.SessionInfo;

/**
 * Which program a recording is of: the file name of the executable; where that runs programs of others, as python3 and java do,
 * with what it runs. Versions in other folders, and other arguments, are the same program.
 */
final class MeasuredProgram {
    /**
     * Executables that run programs, by the names that they have.
     *
     * @param names    a regular expression
     * @param programs options whose value is a file, a module or a class to run
     * @param code     options after which the program itself stands
     * @param valued   options whose value is the next word, and no program
     */
    private record Interpreter(String names, Set<String> programs, Set<String> code, Set<String> valued) {
    }

    private static final List<Interpreter> INTERPRETERS = List.of(
            new Interpreter("(python|pypy)[\\d.]*", Set.of("-m"), Set.of("-c"), Set.of("-W", "-X")),
            new Interpreter("java", Set.of("-jar", "-m", "--module"), Set.of(), Set.of("-cp", "-classpath", "--class-path", "-p",
                    "--module-path", "--upgrade-module-path", "--add-modules", "--limit-modules", "--add-reads", "--add-exports",
                    "--add-opens", "--patch-module", "--enable-native-access", "--source")),
            new Interpreter("node(js)?", Set.of(), Set.of("-e", "--eval", "-p", "--print"), Set.of("-r", "--require", "--import", "--loader",
                    "-C", "--conditions")),
            new Interpreter("(perl|ruby)[\\d.]*", Set.of(), Set.of("-e", "-E"), Set.of("-I", "-r")),
            new Interpreter("php[\\d.]*", Set.of("-f"), Set.of("-r"), Set.of("-c", "-d")),
            new Interpreter("lua[\\d.]*|luajit", Set.of(), Set.of("-e"), Set.of("-l")),
            new Interpreter("(ba|da|k|z)?sh", Set.of(), Set.of("-c"), Set.of("-o", "-O")),
            new Interpreter("dotnet|mono", Set.of(), Set.of(), Set.of()));

    private MeasuredProgram() {
    }

    /** "checkout", "python3 report.py"; as it is, so to be made safe where it is shown. */
    static String of(SessionInfo info) {
        String name = info.programName();
        return INTERPRETERS.stream().filter(interpreter -> name.matches(interpreter.names())).findFirst()
                .map(interpreter -> (name + " " + run(interpreter, info.command().strip().split("\\s+"))).strip()).orElse(name);
    }

    /** What an interpreter runs; empty where it runs what one types. */
    private static String run(Interpreter interpreter, String[] words) {
        for (int i = 1; i < words.length; i++) {
            String word = words[i];
            if (interpreter.code().contains(word)) {
                return Arrays.stream(words).skip(i).collect(Collectors.joining(" "));
            }
            if (interpreter.valued().contains(word)) {
                i++;
            } else if (!interpreter.programs().contains(word) && !word.startsWith("-")) {
                return word.substring(word.lastIndexOf('/') + 1);
            }
        }
        return "";
    }
}
