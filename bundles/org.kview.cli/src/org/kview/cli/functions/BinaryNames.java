// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.functions;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.kview.model.ProbeSpec;
import org.kview.recording.FunctionSearch.FileCount;
import org.kview.recording.FunctionSearch.Found;
import org.kview.targets.values.FunctionInfo;

/** How {@code record --probe} has to name files, and functions in them: as short as possible, but unambiguous. */
final class BinaryNames {
    private final Map<String, String> names = new HashMap<>();

    /**
     * @param mapped paths of all files whose code the process maps; empty if there is no process
     * @param found  in which files, some of which the process may not map
     */
    BinaryNames(List<String> mapped, Found found) {
        Map<String, Integer> often = new HashMap<>();
        Stream.concat(mapped.stream(), found.files().stream().map(FileCount::path)).distinct()
                .forEach(path -> often.merge(fileName(path), 1, Integer::sum));
        mapped.stream().filter(path -> often.get(fileName(path)) == 1 && isOfFunction(fileName(path)))
                .forEach(path -> names.put(path, fileName(path)));
    }

    /** A program may have the name that is a prefix of points of the kernel. */
    private static boolean isOfFunction(String binary) {
        return ProbeSpec.parse(binary + ":f").filter(spec -> spec.kind() == ProbeSpec.Kind.USER_FUNCTION).isPresent();
    }

    /** The file's name, or its path where the name would not find it. */
    String of(String path) {
        return names.getOrDefault(path, path);
    }

    /** A function; by its symbol where its name would be taken for a glob. */
    String probe(FunctionInfo function) {
        return of(function.point().binary()) + ":"
                + (new ProbeSpec("", function.name()).isGlob() ? function.point().symbol() : function.name());
    }

    static String fileName(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
