// SPDX-License-Identifier: EPL-2.0
package org.kview.cli;

import picocli.CommandLine.Option;

/** A command's own {@code --help}. */
final class HelpOption {
    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Tells what the command does.")
    private boolean asked;
}
