// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.values;

/** Ends when closed. */
@FunctionalInterface
public interface Listening extends AutoCloseable {

    @Override
    void close();
}
