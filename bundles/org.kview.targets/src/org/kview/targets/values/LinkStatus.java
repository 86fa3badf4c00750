// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.values;

/**
 * How the link to an agent is, and why.
 *
 * @param sentence for the user; empty where all is well
 */
public record LinkStatus(LinkState state, String sentence) {
}
