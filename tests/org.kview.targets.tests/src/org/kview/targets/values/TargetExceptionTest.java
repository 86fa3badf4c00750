// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.values;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kview.targets.values.TargetException.Kind;

/** Where several hosts are used, each failure names its host exactly once. */
class TargetExceptionTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            web-3          | The host web-3 does not answer on port 22 | The host web-3 does not answer on port 22
            ann@web-3:2222 | The host web-3 does not answer on port 2222 | The host web-3 does not answer on port 2222
            web-3          | There is no process 5 on web-3.           | There is no process 5 on web-3.
            web            | The host web-3 does not answer            | web: The host web-3 does not answer
            web            | The host web.example does not answer      | web: The host web.example does not answer
            local          | /usr/local/agent is gone                  | local: /usr/local/agent is gone
            shop           | The host 10.0.0.7 does not answer         | shop: The host 10.0.0.7 does not answer
            """)
    void namesTheTargetOnce(String target, String message, String expected) {
        TargetException failure = new TargetException(Kind.FAILED, message);
        assertThat(failure.at(target)).hasMessage(expected).extracting(TargetException::kind).isEqualTo(Kind.FAILED);
    }
}
