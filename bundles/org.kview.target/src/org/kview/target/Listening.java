// SPDX-License-Identifier: EPL-2.0
package org.kview.target;

/** Ends when closed. */
@FunctionalInterface
public interface Listening extends AutoCloseable {

    @Override
    void close();
}
