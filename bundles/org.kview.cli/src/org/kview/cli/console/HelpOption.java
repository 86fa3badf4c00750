// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.console;

import picocli.CommandLine.Option;

/** A command's own {@code --help}. */
public final class HelpOption {
    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Tells what the command does.")
    private boolean asked;
}
