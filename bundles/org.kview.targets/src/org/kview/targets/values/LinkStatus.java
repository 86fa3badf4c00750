// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.values;

/**
 * The state of the link to an agent, and the reason.
 *
 * @param sentence for the user; empty where all is well
 */
public record LinkStatus(LinkState state, String sentence) {
}
