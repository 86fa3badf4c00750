// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.values;

/** A registered listener, which hears nothing more once this is closed. */
@FunctionalInterface
public interface Listening extends AutoCloseable {

    @Override
    void close();
}
