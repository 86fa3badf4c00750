// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kview.targets.values.ProcessInfo;
import org.kview.targets.values.ProcessList;

class ProcessModelTest {
    private static final long SECOND = 1_000_000_000L;

    private final ProcessModel model = new ProcessModel();

    private static ProcessInfo process(long pid, long parent, String name, long cpuNanos, long startNanos) {
        return new ProcessInfo(pid, parent, new ProcessInfo.User(0, "ada"), name,
                new ProcessInfo.Program("/bin/" + name, List.of("/bin/" + name)), 1, cpuNanos, startNanos, "/system.slice/" + name + ".service", false);
    }

    private static List<String> names(List<ProcessRow> rows) {
        return rows.stream().flatMap(row -> Stream.concat(Stream.of(row.process().name()),
                names(row.children()).stream().map(name -> ">" + name))).toList();
    }

    @Test
    void cpuIsWhatWasUsedSinceTheListBeforeOnTheHostsOwnClock() {
        model.update(new ProcessList(10 * SECOND, List.of(process(1, 0, "init", 5 * SECOND, 7),
                process(2, 1, "old", SECOND, 8), process(3, 1, "busy", 0, 9))));
        assertThat(model.rows().getFirst().cpu()).isEmpty();
        // The number 2 was given to another process, and start times shake by some µs.
        model.update(new ProcessList(12 * SECOND, List.of(process(1, 0, "init", 5 * SECOND, 4007),
                process(2, 1, "new", 2 * SECOND, 11 * SECOND), process(3, 1, "busy", 3 * SECOND, 9),
                process(4, 1, "fresh", SECOND, 11 * SECOND))));
        ProcessRow init = model.rows().getFirst();
        assertThat(init.cpu().orElseThrow()).isZero();
        ProcessRow busy = init.children().getFirst();
        assertThat(busy.process().name()).as("sorted by CPU").isEqualTo("busy");
        assertThat(busy.cpu().orElseThrow()).isCloseTo(1.5, within(1e-9));
        assertThat(ProcessColumn.CPU.text(busy)).isEqualTo("150 %");
        assertThat(init.children().subList(1, 3)).allMatch(row -> row.cpu().isEmpty());
        assertThat(ProcessColumn.CPU.text(init.children().getLast())).isEqualTo("–");
    }

    @Test
    void filteredProcessesStandBelowTheirParents() {
        model.update(new ProcessList(1, List.of(process(1, 0, "init", 0, 1), process(2, 1, "shop", 0, 1),
                process(3, 2, "worker", 0, 1), process(4, 1, "other", 0, 1))));
        model.sortBy(ProcessColumn.PID);
        model.sortBy(ProcessColumn.PID);
        assertThat(names(model.rows())).containsExactly("init", ">shop", ">>worker", ">other");
        model.setFilter("ADA worker.service");
        assertThat(names(model.rows())).containsExactly("init", ">shop", ">>worker");
        assertThat(model.rows().getFirst().matches()).isFalse();
        assertThat(model.shown()).isEqualTo(1);
        assertThat(model.total()).isEqualTo(4);
        model.setTree(false);
        assertThat(names(model.rows())).containsExactly("worker");
    }

    @Test
    void aCircleOfParentsLosesNobody() {
        model.update(new ProcessList(1, List.of(process(5, 6, "a", 0, 1), process(6, 5, "b", 0, 1),
                process(7, 7, "self", 0, 1))));
        assertThat(names(model.rows())).containsExactlyInAnyOrder("a", "b", "self");
    }

    @Test
    void thousandsTakeNoTime() {
        List<ProcessInfo> many = new ArrayList<>();
        for (int i = 1; i <= 20_000; i++) {
            many.add(process(i, i / 3, "p" + i, i, 1));
        }
        model.update(new ProcessList(1, many));
        model.setFilter("p19999");
        assertThat(model.rows()).hasSize(1);
        assertThat(model.shown()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"/system.slice/nginx.service,nginx.service", "/user.slice/user-0.slice/session-3.scope,session-3.scope",
            "/,''", "'',''", "/a/b,b", "/lxc.payload.web/init.scope,lxc web",
            "/machine.slice/machine-deb\\x2d12.scope/payload,machine deb-12",
            "/docker/DIGEST,docker 0123456789ab", "/system.slice/docker-DIGEST.scope,docker 0123456789ab",
            "/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-DIGEST.scope/container,libpod 0123456789ab",
            "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod1_2.slice/cri-containerd-DIGEST.scope,containerd 0123456789ab",
            "/kubepods/burstable/pod12-34/DIGEST,pod 0123456789ab"})
    void containersAreNamed(String cgroup, String name) {
        String digest = "0123456789abcdef".repeat(4);
        assertThat(Container.of(cgroup.replace("DIGEST", digest))).isEqualTo(name);
    }
}
