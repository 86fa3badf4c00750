// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * Which calls of a session are wanted.
 *
 * @param filter    those that it takes
 * @param functions a function's name, or a glob; empty for all
 * @param order     in which they come
 * @param top       how many of them at most, at least 1; empty for all
 */
public record CallQuery(CallFilter filter, Optional<String> functions, CallOrder order, OptionalInt top) {
}
