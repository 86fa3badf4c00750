// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.kview.model.Budget;
import org.kview.model.Filter;
import org.kview.model.ProbePoint;
import org.kview.model.Scope;
import org.kview.targets.values.FunctionInfo;
import org.kview.targets.values.RecordingSpec;
import org.kview.wire.proto.ProcessScope;
import org.kview.wire.proto.StartRecordingRequest;

class WireRecordingTest {
    private static StartRecordingRequest request(Scope... scopes) {
        return WireRecording.request(new RecordingSpec(List.of(scopes),
                List.of(FunctionInfo.of(new ProbePoint.SystemCall("read"))), false, Filter.AUTO, Duration.ZERO, Duration.ZERO,
                Budget.DEFAULT, false), Duration.ZERO);
    }

    /** An agent from before scopes looks at pid alone. */
    @Test
    void aProcessIsNamedInBothWays() {
        StartRecordingRequest request = request(new Scope.Process(4711, 81));
        assertThat(request.getPid()).isEqualTo(4711);
        assertThat(request.getScopesList()).singleElement().extracting(org.kview.wire.proto.Scope::getProcess)
                .isEqualTo(ProcessScope.newBuilder().setPid(4711).setStartTimeNs(81).build());
    }

    /** Such an agent must not measure one of several, as if it were all. */
    @Test
    void ofSeveralScopesNoneIsNamedByPid() {
        assertThat(request(new Scope.Process(1, 0), new Scope.Process(2, 0)).getPid()).isZero();
    }

    @Test
    void aScopeOfAKindThatNoAgentKnowsIsNotAskedFor() {
        assertThatIllegalArgumentException().isThrownBy(() -> request(new Scope.Unknown("cgroup", 4711)))
                .withMessageContaining("cgroup");
    }
}
