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
     * How many functions of one file match.
     *
     * @param path      as the process sees it
     * @param total     how many match
     * @param examined  how many of these were examined for whether they can be probed: the first ones by name
     * @param probeable how many of these can be probed
     */
    public record FileCount(String path, long total, long examined, long probeable) {
    }

    /**
     * What was found.
     *
     * @param functions  by file, then by name; those that can't be probed say why
     * @param files      the files whose functions were looked at, also those in which none matches
     * @param unsearched of each other file, a sentence why not
     */
    public record Found(List<FunctionInfo> functions, List<FileCount> files, List<String> unsearched) {
        public Found {
            functions = List.copyOf(functions);
            files = List.copyOf(files);
            unsearched = List.copyOf(unsearched);
        }

        /** How many match, also beyond the limit. */
        public long total() {
            return files.stream().mapToLong(FileCount::total).sum();
        }
    }

    private final Agent agent;
    private final int limit;
    private final List<FunctionInfo> functions = new ArrayList<>();
    private final List<FileCount> files = new ArrayList<>();
    private final List<String> unsearched = new ArrayList<>();
    private final Set<String> near = new LinkedHashSet<>();

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
        if (search.found().total() == 0) {
            throw search.nothing(pid, pattern);
        }
        return search.found();
    }

    /**
     * Counts the functions of each file whose code a process maps.
     *
     * @param most how many of one file are examined
     * @return no functions, but the files
     * @throws TargetException also where no file has names of functions
     */
    public static Found countsOf(Agent agent, long pid, int most) throws TargetException, InterruptedException {
        FunctionSearch search = new FunctionSearch(agent, most);
        for (String file : new LinkedHashSet<>(agent.mappedFiles(pid))) {
            search.tryFile(pid, file, ALL);
            search.functions.clear();
        }
        if (search.files.isEmpty()) {
            throw new TargetException(Kind.STRIPPED, search.unsearched.isEmpty()
                    ? "Process " + pid + " maps no file with code: it is a kernel thread, or has just ended"
                    : "No file that process " + pid + " maps has names of functions: " + search.unsearched.getFirst());
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
                    files.add(new FileCount(file, 0, 0, 0));
                    near.addAll(e.suggestions());
                }
                case STRIPPED, NO_SUCH_BINARY -> unsearched.add(e.getMessage());
                default -> throw e;
            }
        }
    }

    private void add(FunctionMatches matches, int most) {
        List<FunctionInfo> kept = matches.functions().stream().limit(Math.max(0, most)).toList();
        functions.addAll(kept);
        files.add(new FileCount(matches.binary(), matches.total(), kept.size(),
                kept.stream().filter(FunctionInfo::probeable).count()));
    }

    private TargetException nothing(long pid, String pattern) {
        List<String> names = near.stream().limit(NEAR_NAMES).toList();
        String wider = "*" + pattern.replaceAll("^\\*|\\*$", "") + "*";
        return new TargetException(Kind.NO_SUCH_FUNCTION, "No function of the " + files.size() + " files with function"
                + " names that process " + pid + " maps is named " + pattern + (unsearched.isEmpty() ? ""
                        : " (" + unsearched.size() + (unsearched.size() == 1 ? " other has" : " others have") + " none)")
                + (names.isEmpty() ? "" : "; near it are " + String.join(", ", names))
                + (wider.equals(pattern) ? "" : "; try '" + wider + "'"), names);
    }

    private Found found() {
        return new Found(functions, files, unsearched);
    }
}
