// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh;

import org.kview.targets.InstalledAgent;

/**
 * The POSIX shell scripts that install and start the agent on a host. The agent's place there:
 *
 * <pre>
 * ~/.cache/kview-workbench/agents/    0700, the user's own
 *     SHA-256 of the agent/           0700
 *         kview-agent                 0700
 *         .part-…                     while it is uploaded
 * </pre>
 *
 * Where an administrator installed an {@link InstalledAgent} of the same content, that one is used instead.
 */
final class AgentScripts {
    /** Printed before the output of each script, because a login script may have printed something before that. */
    static final String MARKER = "kview-begins-here";
    /** Printed instead of a hash on a host that has no program to compute it. */
    static final String NO_HASH = "none";
    /** The start script's exit status when the agent is not the one that was uploaded. */
    static final int CHANGED_STATUS = 97;

    private static final String FOLDER = ".cache/kview-workbench/agents";
    private static final String HASH = "h() { sha256sum < \"$1\" 2>/dev/null || shasum -a 256 < \"$1\" 2>/dev/null"
            + " || openssl dgst -sha256 -r < \"$1\" 2>/dev/null || echo " + NO_HASH + "; }; ";
    /**
     * safe: whether only the user and root can change what is in the folder, or replace the folder. So each folder on
     * the path must belong to root or the user, and others may write to it only where they can't rename files of
     * other owners (sticky bit). The SSH server checks authorized_keys in a similar way.
     */
    private static final String SAFE = "safe() { p=$(cd \"$d\" 2>/dev/null && pwd -P) && [ \"$p\" = \"$(cd \"$HOME\" && pwd -P)/"
            + FOLDER + "/$s\" ] || return 1; while :; do set -- $(ls -ldn \"$p/\"); case \"$3\" in 0|\"$(id -u)\") ;; *) return 1;;"
            + " esac; case \"$1\" in d????????[tT]*) ;; d????w*|d???????w*) return 1;; d*) ;; *) return 1;; esac;"
            + " [ -n \"$p\" ] || return 0; p=${p%/*}; done; }; ";
    /** inst: whether the installed agent is there, can be written by root only, and has this content. */
    private static final String INSTALLED = "inst() { [ -f \"$i\" ] && [ -x \"$i\" ] && set -- $(ls -ldn \"$i\") && [ \"$3\" = 0 ]"
            + " || return 1; case \"$1\" in -????w*|-???????w*) return 1;; -*) ;; *) return 1;; esac; k=$(h \"$i\");"
            + " [ \"${k%% *}\" = \"$s\" ]; }; ";
    /** Printed after the hash if that is the installed agent's. */
    static final String INSTALLED_MARK = "installed";
    private static final String UNSAFE = "its folder, or one above it, can be changed by others; see that only its user and root"
            + " may write to these folders (chmod go-w)";

    private final String sha256;
    private final String names;
    private final InstalledAgent installed;

    /** @param sha256 of the agent, in hexadecimal */
    AgentScripts(String sha256) {
        this.sha256 = sha256;
        this.installed = new InstalledAgent(sha256);
        this.names = "umask 077; i=" + installed.path() + "; s=" + sha256 + "; a=\"$HOME/" + FOLDER + "\"; d=\"$a/$s\"; f=\"$d/kview-agent\"; ";
    }

    /** The agent of this content as an administrator would install it. */
    InstalledAgent installed() {
        return installed;
    }

    /** The agent's path in a home folder. */
    String path(String home) {
        return folder(home) + "/kview-agent";
    }

    String folder(String home) {
        return home + "/" + FOLDER + "/" + sha256;
    }

    /** Prints system, machine, kernel, user id, user and home folder, then the agent's hash if there is one. */
    String probe() {
        return names + HASH + SAFE + INSTALLED + "echo " + MARKER + "; uname -s; uname -m; uname -r; id -u; id -un;"
                + " echo \"$HOME\"; if inst; then h \"$i\"; echo " + INSTALLED_MARK + "; elif [ -f \"$f\" ] && [ -x \"$f\" ] && [ -O \"$f\" ] && [ -O \"$d\" ] && safe; then h \"$f\"; fi";
    }

    /** Makes the folders, with access for the user only. */
    String prepare() {
        return names + SAFE + "mkdir -p \"$d\" && chmod 700 \"$a\" \"$d\" && [ -O \"$d\" ] && [ -O \"$a\" ] && if safe; then :;"
                + " else echo \"" + UNSAFE + "\" >&2; exit 1; fi"
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

    /** Moves the uploaded file to its place, and removes the agents of other versions. */
    String activate(String part) {
        return names + "chmod 700 \"$d/" + part + "\" && mv -f \"$d/" + part + "\" \"$f\" && for o in \"$a\"/*; do n=${o##*/}; "
                + "if [ \"$n\" = \"" + sha256 + "\" ]; then :; elif [ ${#n} -eq 64 ]; then rm -rf \"$o\"; fi; done";
    }

    String discard(String part) {
        return names + "rm -f \"$d/" + part + "\"";
    }

    /**
     * Verifies the agent and replaces itself by it. It executes the very file that was hashed, by its descriptor. Only
     * sudo has to be given the path that its rule names; where the rule names a hash, sudo verifies that itself.
     *
     * <p>The agent restricts users who may not run everything as root through sudo (docs/security.md). For those who
     * may, the script hides from the agent who calls it, and so it does not restrict them.
     *
     * @param hashed     whether the host can compute the hash; otherwise the caller has compared the bytes
     * @param privileged whether to start it through sudo, which never asks for a password here
     */
    String start(boolean hashed, boolean privileged) {
        // Must contain no exclamation mark: csh as a login shell would take it for a reference to its history.
        String verify = (hashed ? HASH + INSTALLED + "if inst; then f=$i; el" : "") + "if safe; then :; else echo \"" + UNSAFE
                + "\" >&2; exit " + CHANGED_STATUS + "; fi; exec 9< \"$f\"; " + (hashed ? "g=$(h /proc/self/fd/9); if [ \"${g%% *}\" = \"$s\" ]; then :; else echo"
                + " \"the agent there was changed since its upload\" >&2; exit " + CHANGED_STATUS + "; fi; " : "");
        String all = "/usr/bin/env -u SUDO_UID -u SUDO_GID -u SUDO_USER -u SUDO_COMMAND --";
        return names + SAFE + verify + "echo " + MARKER + "; " + (privileged
                ? "if sudo -n -l -- /usr/bin/env >/dev/null 2>&1 && sudo -n -- /usr/bin/env true >/dev/null 2>&1;"
                        + " then exec sudo -n -- " + all + " \"$f\"; fi; exec sudo -n -- \"$f\""
                : "exec /proc/self/fd/9");
    }
}
