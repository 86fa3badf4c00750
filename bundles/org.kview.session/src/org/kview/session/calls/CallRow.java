// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import org.kview.ctf.calls.Call;

/** A call of a session's host. */
record CallRow(CallHost host, Call call) {
    long epochNanos() {
        return host.epochNanos(call.beginNanos());
    }
}
