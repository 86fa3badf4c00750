// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.kview.targets.values.TargetException;
import org.kview.targets.values.TargetException.Kind;

/**
 * What a host says about itself before anything is uploaded.
 *
 * @param system  as {@code uname -s}
 * @param machine as {@code uname -m}
 * @param kernel  as {@code uname -r}
 * @param uid     of the user there
 * @param user    the user's name; {@code #} and the number where it is not one of plain letters
 * @param home    the user's home folder
 * @param quiet   whether no login script prints anything to standard output
 * @param hash    of the agent that is there; empty if there is none, {@link AgentScripts#NO_HASH} if it is not known
 * @param installed whether that agent is the one that an administrator installed
 */
record RemoteHost(String system, String machine, String kernel, long uid, String user, String home,
        boolean quiet, Optional<String> hash, boolean installed) {
    private static final Pattern KERNEL = Pattern.compile("(\\d+)\\.(\\d+).*");
    private static final Pattern USER = Pattern.compile("[a-z_][A-Za-z0-9_.-]{0,63}");
    /** The first kernel with the eBPF ring buffer, through which events and histograms come. */
    private static final int MIN_MAJOR = 5;
    private static final int MIN_MINOR = 8;

    /** @throws TargetException if this is not the answer of a host with a POSIX shell */
    static RemoteHost parse(String name, RemoteShell.Result answer) throws TargetException {
        List<String> lines = afterMarker(answer.output());
        if (lines.size() < 6 || !lines.get(3).matches("\\d{1,10}") || !lines.get(5).startsWith("/")) {
            throw new TargetException(Kind.NOT_REACHED, "The host " + name + " did not run a simple command ("
                    + (answer.complaint().isEmpty() ? "exit status " + answer.status() : answer.complaint())
                    + "); allow its user to run commands there, or connect as another one");
        }
        // An administrator is told to put this into a sudoers file, where # and a number also name a user.
        String user = USER.matcher(lines.get(4)).matches() ? lines.get(4) : "#" + Long.parseLong(lines.get(3));
        return new RemoteHost(lines.get(0), lines.get(1), lines.get(2), Long.parseLong(lines.get(3)), user, lines.get(5),
                answer.output().startsWith(AgentScripts.MARKER),
                lines.size() > 6 ? Optional.of(firstWord(lines.get(6))) : Optional.empty(),
                lines.size() > 7 && lines.get(7).equals(AgentScripts.INSTALLED_MARK));
    }

    static List<String> afterMarker(String output) {
        List<String> lines = output.lines().toList();
        int marker = lines.lastIndexOf(AgentScripts.MARKER);
        return marker < 0 ? List.of() : lines.subList(marker + 1, lines.size());
    }

    static String firstWord(String line) {
        return line.strip().replaceFirst("\\s.*", "");
    }

    /**
     * @param machines the kinds of machine for which there is an agent
     * @throws TargetException of kind UNSUPPORTED if no agent can work there
     */
    void refuseIfUnsupported(String name, List<String> machines) throws TargetException {
        if (!system.equals("Linux")) {
            throw new TargetException(Kind.UNSUPPORTED, "The host " + name + " runs " + Questions.shown(system)
                    + ", and functions can be measured on Linux only; connect to a Linux host");
        }
        if (!machines.contains(machine)) {
            String offered = String.join(" and ", machines);
            throw new TargetException(Kind.UNSUPPORTED, "The host " + name + " is a machine of the kind "
                    + Questions.shown(machine) + ", and this build has an agent for " + offered
                    + " only; connect to such a host");
        }
        Matcher version = KERNEL.matcher(kernel);
        if (version.matches()) {
            int major = Integer.parseInt(version.group(1).length() > 4 ? "9999" : version.group(1));
            int minor = Integer.parseInt(version.group(2).length() > 4 ? "9999" : version.group(2));
            if (major < MIN_MAJOR || major == MIN_MAJOR && minor < MIN_MINOR) {
                throw new TargetException(Kind.UNSUPPORTED, "The host " + name + " has the kernel "
                        + Questions.shown(kernel) + ", which lacks the eBPF ring buffer; update it to " + MIN_MAJOR + "."
                        + MIN_MINOR + " or later");
            }
        }
    }
}
