// SPDX-License-Identifier: EPL-2.0
package org.kview.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

/**
 * Names, errors and problems come from hosts, programs and sessions: wherever the user interface sets a text that is not
 * written there itself, it is made org.kview.model.SafeText first.
 */
class ShownTextTest {
    private static final List<String> BUNDLES = List.of("org.kview.ui", "org.kview.workbench", "org.kview.trace");
    /** What sets a text, and what stands before it where the name alone is not enough. */
    private static final Pattern SETS = Pattern.compile("(?<on>\\w+)?\\.?(?<!\\w)(?:setText|setToolTipText|setMessage"
            + "|setErrorMessage|setDescription|setTitle|setPartName|setContentDescription|setTitleToolTip|subTask|beginTask"
            + "|(?<=MessageDialog\\.)open\\w+|(?<=new )(?:Status|Job|IOConsole|StyledString)"
            + "|(?<=Status\\.)(?:info|warning|error)|(?<=gc\\.)draw(?:Text|String))\\(");
    /** Fields that users type into: what stands there is what is used, so it must be the very name. */
    private static final Set<String> TYPED = Set.of("FunctionPage.binary", "HostsPage.process", "HostsPage.functions",
            "OptionsPage.folder", "OptionsPage.name", "OptionsPage.conditions", "SplitsField.text", "LaunchFields.command", "LaunchFields.folder",
            "OpenSessionDialog.location", "NotesView.tags", "NotesView.text", "FunctionsView.filter", "CallsView.filter", "SearchField.field");
    private static final Pattern STRING = Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*\"");
    /** What is worked out: anything but literals, constants and types. */
    private static final Pattern WORKED_OUT = Pattern.compile("(?<![\\w.])(?!null\\b|new\\b|shell\\b|e\\b)[a-z]\\w*");

    @Test
    void whatIsShownIsMadeSafe() throws IOException {
        List<String> raw = new ArrayList<>();
        int calls = 0;
        for (String bundle : BUNDLES) {
            try (var files = Files.walk(Path.of(System.getProperty("kview.bundles"), bundle, "src"))) {
                for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
                    calls += look(file, raw);
                }
            }
        }
        assertThat(calls).as("calls that were looked at").isGreaterThan(200);
        assertThat(raw).as("texts that reach the screen as they came").isEmpty();
    }

    private static int look(Path file, List<String> raw) throws IOException {
        String source = Files.readString(file);
        String name = file.getFileName().toString().replace(".java", "");
        var call = SETS.matcher(source);
        int calls = 0;
        while (call.find()) {
            String arguments = arguments(source, call.end());
            String before = source.substring(0, call.start());
            boolean declared = before.matches("(?s).*\\b(?:void|String|IStatus)\\s+$");
            calls++;
            if (!declared && !TYPED.contains(name + "." + call.group("on")) && !isSafe(arguments)) {
                raw.add(name + ":" + (before.lines().count()) + ": " + call.group() + arguments.strip());
            }
        }
        return calls;
    }

    private static boolean isSafe(String arguments) {
        String code = STRING.matcher(arguments).replaceAll("");
        return code.contains("SafeText.") || code.contains("SafeText::") || !WORKED_OUT.matcher(code).find();
    }

    /** Up to the parenthesis that ends them. */
    private static String arguments(String source, int begin) {
        int depth = 1;
        boolean quoted = false;
        for (int i = begin; i < source.length(); i++) {
            char c = source.charAt(i);
            if (quoted && c == '\\') {
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (!quoted && c == '(') {
                depth++;
            } else if (!quoted && c == ')' && --depth == 0) {
                return source.substring(begin, i);
            }
        }
        throw new IllegalStateException("a call without an end");
    }
}
