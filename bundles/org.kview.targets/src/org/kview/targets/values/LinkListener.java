// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.values;

/** Hears of changes of a link's state. Called by one thread at a time; must return soon and not throw. */
@FunctionalInterface
public interface LinkListener {

    void changed(LinkStatus status);
}
