// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.values;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Who is to run in a kernel view. */
public sealed interface ViewMember {
    Pattern QUEUE = Pattern.compile("([^\\s/:]{1,15}):(\\d{1,5})");

    /**
     * A process.
     *
     * @param startNanos when it started, so that it is not mistaken for a later one; 0 if it is not known
     * @param forks      whether its children come, too
     * @param execs      whether it stays when it executes another program
     */
    record Process(long pid, long startNanos, boolean forks, boolean execs) implements ViewMember {
    }

    /**
     * Everybody in a cgroup, and below it.
     *
     * @param path of its directory
     */
    record Cgroup(String path) implements ViewMember {
    }

    /**
     * A receive queue of a network device, which a thread has to poll.
     *
     * @param queue from 0
     */
    record Queue(String device, int queue) implements ViewMember {
    }

    /**
     * As a user says it: a process by its number, a cgroup by its path, a queue as DEVICE:QUEUE.
     *
     * @throws IllegalArgumentException with a sentence, if it is none of them
     */
    static ViewMember parse(String text, boolean forks, boolean execs) {
        String who = text.strip();
        Matcher queue = QUEUE.matcher(who);
        if (who.matches("[1-9]\\d{0,9}") && Long.parseLong(who) <= Integer.MAX_VALUE) {
            return new Process(Long.parseLong(who), 0, forks, execs);
        } else if (who.startsWith("/")) {
            return new Cgroup(who);
        } else if (queue.matches()) {
            return new Queue(queue.group(1), Integer.parseInt(queue.group(2)));
        }
        throw new IllegalArgumentException("'" + text + "' is neither the number of a process, nor a path such as"
                + " /sys/fs/cgroup/system.slice, nor a queue such as eth0:3");
    }
}
