// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.functions;

import java.util.Optional;

import org.kview.recording.FunctionSearch;
import org.kview.recording.FunctionSearch.Found;
import org.kview.targets.Agent;
import org.kview.targets.values.TargetException;

/**
 * Which functions are to be listed.
 *
 * @param ofFile whether they are functions of a file, and not of what a process maps
 * @param binary the file, or as {@code record --probe} names one that a process maps; empty for all of these
 * @param name   a name or a glob; empty for all functions
 */
record FunctionsWanted(boolean ofFile, String binary, Optional<String> name) {

    /** Whether they are so many that they are counted instead of being listed. */
    boolean isCount() {
        return binary.isEmpty() && name.isEmpty();
    }

    /**
     * Asks for them.
     *
     * @param pid   of the process; 0 if there is none
     * @param limit how many are listed, or examined of a file to be counted
     */
    Found ask(Agent agent, long pid, int limit) throws TargetException, InterruptedException {
        return isCount() ? FunctionSearch.countsOf(agent, pid, limit)
                : binary.isEmpty() ? FunctionSearch.inProcess(agent, pid, name.get(), limit)
                : FunctionSearch.inFile(agent, pid, binary, name.orElse(FunctionSearch.ALL), limit);
    }
}
