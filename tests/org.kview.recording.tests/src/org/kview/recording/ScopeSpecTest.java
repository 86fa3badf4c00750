// SPDX-License-Identifier: EPL-2.0
package org.kview.recording;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScopeSpecTest {
    @ParameterizedTest
    @CsvSource({"/system.slice/nginx.service,/system.slice/nginx.service",
            "/user.slice/user@1.service/app.slice/a.service/b,/user.slice/user@1.service/app.slice/a.service",
            "/user.slice/user-1000.slice/user@1000.service/docker/3f2a,/user.slice/user-1000.slice/user@1000.service/docker/3f2a",
            "/user.slice/user-1000.slice/user@1000.service/app.slice/editor.service/x,/user.slice/user-1000.slice/user@1000.service/app.slice/editor.service",
            "/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-3f2a.scope/container,/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-3f2a.scope",
            "/system.slice/docker-3f2a.scope/init,/system.slice/docker-3f2a.scope", "/kubepods/x,/kubepods/x", "/,", "'',"})
    void theServiceOfAProcessIsTheInnermostThatSystemdCallsOne(String cgroup, String service) {
        assertThat(ScopeSpec.Cgroup.ofService(cgroup).map(ScopeSpec.Cgroup::name)).isEqualTo(Optional.ofNullable(service));
    }
}
