// SPDX-License-Identifier: EPL-2.0
package org.kview.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;

import org.junit.jupiter.api.Test;

/** Debian's kernel 6.1, which sets probes on its functions one by one, with the module that gives processes views of it. */
class Kernel61Test extends GuestTest {
    Kernel61Test() {
        super("6.1", Optional.empty(), "--kview");
    }

    @Test
    void theDoctorTellsOfTheModule() throws Exception {
        Kview.Result doctor = guest().kview(folder(), "doctor", "--target", "root@guest");
        assertThat(doctor.exitCode()).as(doctor.errors()).isZero();
        assertThat(doctor.output()).contains("The kview module is loaded (API 1)");
    }

    /** What nobody asked for otherwise is measured in the process's own view, of which nothing is left then. */
    @Test
    void inAViewTheProcessAloneIsCounted() throws Exception {
        Session session = countKernelFunctions("auto", "view.kview");
        assertThat(session.json().path("session").path("filter").asText()).isEqualTo("view");
        assertThat(session.json().path("session").path("filter_note").asText()).contains("other processes run none of its instructions");
        nothingIsLeft();
    }

    @Test
    void aViewGoesWithAnAgentThatIsKilled() throws Exception {
        try (Running program = Running.start(guest().shell("root", "echo $$ >&2; exec dd if=/dev/zero of=/dev/null bs=1"))) {
            program.awaitSaid("\n");
            String pid = new String(java.nio.file.Files.readAllBytes(program.errors())).strip();
            try (Running recording = Running.start(guest().builder(folder(), "record", "--target", "root@guest", "--pid", pid,
                    "--probe", "kernel:vfs_write", "--filter", "view", "--budget", "none", "-o", "killed.kview"))) {
                recording.awaitSaid("recording process");
                assertThat(guest().run("root", "/guest/bin/kviewctl stat")).contains("views 1\n", "processes 1\n");
                guest().run("root", "pkill -9 -x kview-agent");
                recording.await(GuestHost.PATIENCE);
            }
            nothingIsLeft();
            assertThat(guest().run("root", "kill -0 " + pid + " && echo runs")).isEqualTo("runs\n");
        }
        assertThat(Session.read(folder().resolve("killed.kview")).function("kernel:vfs_write").calls()).isPositive();
    }

    /** The kernel closes what a killed process had in its own time. */
    private void nothingIsLeft() throws Exception {
        assertThat(guest().run("root", "i=0; while [ $i -lt 600 ] && ! /guest/bin/kviewctl stat | grep -q '^views 0$'; do "
                + "i=$((i + 1)); sleep 0.1; done; /guest/bin/kviewctl stat")).contains("views 0\n", "processes 0\n", "places 0\n");
    }
}
