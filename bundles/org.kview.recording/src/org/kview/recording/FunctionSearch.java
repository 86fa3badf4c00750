// SPDX-License-Identifier: EPL-2.0
package org.kview.recording;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import org.kview.targets.Agent;
import org.kview.targets.values.FunctionInfo;
import org.kview.targets.values.FunctionMatches;
import org.kview.targets.values.FunctionQuery;
import org.kview.targets.values.TargetException;
import org.kview.targets.values.TargetException.Kind;

/** Looks for functions that could be probed, for whoever does not know their names yet. */
public final class FunctionSearch {
    /** All functions of a file. */
    public static final String ALL = "*";
    private static final int NEAR_NAMES = 5;

    /**
     * What was found.
     *
     * @param functions  by file, then by name; those that can't be probed say why
     * @param total      how many match, also beyond the limit
     * @param searched   paths of the files whose functions were looked at
     * @param unsearched of each other file, a sentence why not
     */
    public record Found(List<FunctionInfo> functions, long total, List<String> searched, List<String> unsearched) {
        public Found {
            functions = List.copyOf(functions);
            searched = List.copyOf(searched);
            unsearched = List.copyOf(unsearched);
        }
    }

    private final Agent agent;
    private final int limit;
    private final List<FunctionInfo> functions = new ArrayList<>();
    private final List<String> searched = new ArrayList<>();
    private final List<String> unsearched = new ArrayList<>();
    private final Set<String> near = new LinkedHashSet<>();
    private long total;

    private FunctionSearch(Agent agent, int limit) {
        this.agent = agent;
        this.limit = limit;
    }

    /**
     * Searches one file.
     *
     * @param pid    whose files are meant; 0 if {@code binary} is a path on the host
     * @param binary as in {@link FunctionQuery}
     * @throws TargetException also where nothing is found
     */
    public static Found inFile(Agent agent, long pid, String binary, String pattern, int limit)
            throws TargetException, InterruptedException {
        FunctionSearch search = new FunctionSearch(agent, limit);
        search.add(agent.findFunctions(new FunctionQuery(pid, binary, pattern, limit)), limit);
        return search.found();
    }

    /**
     * Searches all files whose code a process maps.
     *
     * @throws TargetException also where nothing is found in any
     */
    public static Found inProcess(Agent agent, long pid, String pattern, int limit)
            throws TargetException, InterruptedException {
        FunctionSearch search = new FunctionSearch(agent, limit);
        for (String file : new LinkedHashSet<>(agent.mappedFiles(pid))) {
            search.tryFile(pid, file, pattern);
        }
        if (search.total == 0) {
            throw search.nothing(pid, pattern);
        }
        return search.found();
    }

    private void tryFile(long pid, String file, String pattern) throws TargetException, InterruptedException {
        int left = limit - functions.size();
        try {
            // Even if the limit is reached, ask for one function: the reply tells how many more there are.
            add(agent.findFunctions(new FunctionQuery(pid, file, pattern, Math.max(1, left))), left);
        } catch (TargetException e) {
            switch (e.kind()) {
                case NO_SUCH_FUNCTION -> {
                    searched.add(file);
                    near.addAll(e.suggestions());
                }
                case STRIPPED, NO_SUCH_BINARY -> unsearched.add(e.getMessage());
                default -> throw e;
            }
        }
    }

    private void add(FunctionMatches matches, int most) {
        matches.functions().stream().limit(Math.max(0, most)).forEach(functions::add);
        total += matches.total();
        searched.add(matches.binary());
    }

    private TargetException nothing(long pid, String pattern) {
        List<String> names = near.stream().limit(NEAR_NAMES).toList();
        String wider = "*" + pattern.replaceAll("^\\*|\\*$", "") + "*";
        return new TargetException(Kind.NO_SUCH_FUNCTION, "No function of the " + searched.size() + " files with function"
                + " names that process " + pid + " maps is named " + pattern + (unsearched.isEmpty() ? ""
                        : " (" + unsearched.size() + (unsearched.size() == 1 ? " other has" : " others have") + " none)")
                + (names.isEmpty() ? "" : "; near it are " + String.join(", ", names))
                + (wider.equals(pattern) ? "" : "; try '" + wider + "'"), names);
    }

    private Found found() {
        return new Found(functions, total, searched, unsearched);
    }
}
