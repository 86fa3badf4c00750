// SPDX-License-Identifier: EPL-2.0
package org.kview.recording;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import org.kview.session.SessionException;
import org.kview.session.write.SessionClaim;
import org.kview.targets.Agent;
import org.kview.targets.Target;
import org.kview.targets.values.TargetException;

/** Hosts that were connected for a recording, which is started on all of them; their agents end with this. */
public final class ConnectedHosts implements AutoCloseable {

    /** A host and whom to record there. */
    public record Host(Target target, ScopeSpec scope) {
    }

    private final List<Host> hosts;
    private final List<Agent> agents;

    private ConnectedHosts(List<Host> hosts, List<Agent> agents) {
        this.hosts = hosts;
        this.agents = agents;
    }

    /**
     * Connects one after the other: each may have to ask for something. When it throws, nobody is connected.
     *
     * @param before is told of each host before it is connected; what it throws breaks this off
     * @throws TargetException if a host can't be reached; of several, the message names it
     */
    public static ConnectedHosts connect(List<Host> hosts, Consumer<Target> before) throws TargetException,
            InterruptedException {
        List<Agent> agents = new ArrayList<>();
        ConnectedHosts connected = new ConnectedHosts(List.copyOf(hosts), agents);
        boolean all = false;
        try {
            for (Host host : hosts) {
                before.accept(host.target());
                agents.add(connect(host.target(), hosts.size() > 1));
            }
            all = true;
            return connected;
        } finally {
            if (!all) {
                connected.close();
            }
        }
    }

    private static Agent connect(Target target, boolean named) throws TargetException, InterruptedException {
        try {
            return target.connect();
        } catch (TargetException e) {
            throw named ? e.at(target.name()) : e;
        }
    }

    /** In the hosts' order. */
    public List<Agent> agents() {
        return List.copyOf(agents);
    }

    /**
     * Starts a recording on all of them. Blocks; when it throws, nothing goes on anywhere. If it is interrupted, these
     * hosts are closed first, so that nothing that an agent still sends is written.
     *
     * @throws TargetException  if a target can't do what was asked; of several, the message names it
     * @throws SessionException if the session's folder exists or can't be written
     */
    public RunningRecording start(RecordingRequest request, RecordingObserver observer)
            throws TargetException, SessionException, InterruptedException {
        List<HostsRecording.Host> connected = IntStream.range(0, hosts.size()).mapToObj(i -> new HostsRecording.Host(
                agents.get(i), hosts.get(i).target().name(), hosts.get(i).scope())).toList();
        try {
            if (connected.size() > 1) {
                return HostsRecording.start(connected, request, observer);
            }
            HostsRecording.Host host = connected.getFirst();
            return new Recorder(host.agent(), host.target()).start(host.scope(), request, observer);
        } catch (InterruptedException e) {
            close();
            // Another recording may have taken the folder meanwhile.
            if (!SessionClaim.isTaken(request.folder())) {
                Recorder.release(request.folder());
            }
            throw e;
        }
    }

    @Override
    public void close() {
        agents.forEach(Agent::close);
    }
}
