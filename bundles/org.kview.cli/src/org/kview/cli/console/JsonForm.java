// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.console;

import java.util.function.Supplier;

import picocli.CommandLine.Option;

/** Whether a result is wanted as JSON; it is text otherwise. */
public final class JsonForm {
    @Option(names = "--json", description = "Prints JSON, times in ns.")
    private boolean json;

    /** Prints the result in the wanted form. The other one is not made. */
    public void give(Console console, Supplier<String> asJson, Supplier<String> asText) {
        if (json) {
            console.json(asJson.get());
        } else {
            console.result(asText.get());
        }
    }
}
