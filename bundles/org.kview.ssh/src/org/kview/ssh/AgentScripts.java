// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh;

/**
 * What runs on a host around the agent, in POSIX shell. The agent's place there:
 *
 * <pre>
 * ~/.cache/kview-workbench/agents/    0700, the user's own
 *     SHA-256 of the agent/           0700
 *         kview-agent                 0700
 *         .part-…                     while it is uploaded
 * </pre>
 */
final class AgentScripts {
    /** Comes before what a script really says: a login script may have said something before. */
    static final String MARKER = "kview-begins-here";
    /** Instead of a hash, on a host that has no program for it. */
    static final String NO_HASH = "none";
    /** Of the start script, when the agent is not the one that was uploaded. */
    static final int CHANGED_STATUS = 97;

    private static final String FOLDER = ".cache/kview-workbench/agents";
    private static final String HASH = "h() { sha256sum < \"$1\" 2>/dev/null || shasum -a 256 < \"$1\" 2>/dev/null"
            + " || openssl dgst -sha256 -r < \"$1\" 2>/dev/null || echo " + NO_HASH + "; }; ";

    private final String sha256;
    private final String names;

    /** @param sha256 of the agent, in hexadecimal */
    AgentScripts(String sha256) {
        this.sha256 = sha256;
        this.names = "umask 077; a=\"$HOME/" + FOLDER + "\"; d=\"$a/" + sha256 + "\"; f=\"$d/kview-agent\"; ";
    }

    /** Where the agent is, below a home folder. */
    String path(String home) {
        return folder(home) + "/kview-agent";
    }

    String folder(String home) {
        return home + "/" + FOLDER + "/" + sha256;
    }

    /** Prints system, machine, kernel, user id, user and home folder, then the agent's hash if there is one. */
    String probe() {
        return names + HASH + "echo " + MARKER + "; uname -s; uname -m; uname -r; id -u; id -un; echo \"$HOME\"; "
                + "if [ -f \"$f\" ] && [ -x \"$f\" ] && [ -O \"$f\" ] && [ -O \"$d\" ]; then h \"$f\"; fi";
    }

    /** Makes the folders, the user's alone. */
    String prepare() {
        return names + "mkdir -p \"$d\" && chmod 700 \"$a\" \"$d\" && [ -O \"$d\" ] && [ -O \"$a\" ] && [ \"$(cd \"$d\" && pwd -P)\""
                + " = \"$(cd \"$HOME\" && pwd -P)/" + FOLDER + "/" + sha256 + "\" ]"
                + " && find \"$d\" -name \".part-*\" -mmin +60 -exec rm -f {} +";
    }

    /** Stores standard input. */
    String store(String part) {
        return names + "cat > \"$d/" + part + "\"";
    }

    /** Prints the hash of what was uploaded. */
    String hash(String part) {
        return names + HASH + "echo " + MARKER + "; h \"$d/" + part + "\"";
    }

    /** Prints the bytes of a file in the agent's folder. */
    String read(String file) {
        return names + "echo " + MARKER + "; cat \"$d/" + file + "\"";
    }

    /** Puts what was uploaded in its place, and removes the agents of other versions. */
    String activate(String part) {
        return names + "chmod 700 \"$d/" + part + "\" && mv -f \"$d/" + part + "\" \"$f\" && for o in \"$a\"/*; do n=${o##*/}; "
                + "if [ \"$n\" = \"" + sha256 + "\" ]; then :; elif [ ${#n} -eq 64 ]; then rm -rf \"$o\"; fi; done";
    }

    String discard(String part) {
        return names + "rm -f \"$d/" + part + "\"";
    }

    /**
     * Verifies the agent and becomes it.
     *
     * @param hashed     whether the host can compute the hash; else the caller has compared the bytes
     * @param privileged through sudo, which never asks here
     */
    String start(boolean hashed, boolean privileged) {
        // Without an exclamation mark, which csh as a login shell would look up in its history.
        String verify = hashed ? HASH + "s=$(h \"$f\"); if [ \"${s%% *}\" = \"" + sha256 + "\" ]; then :; else echo"
                + " \"the agent there was changed since its upload\" >&2; exit " + CHANGED_STATUS + "; fi; " : "";
        return names + verify
                + "echo " + MARKER + "; exec " + (privileged ? "sudo -n -- " : "") + "\"$f\"";
    }
}
