// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.values;

/**
 * A started program that waits until it is let run.
 *
 * @param pid        its number
 * @param executable path
 */
public record LaunchedProcess(long pid, String executable) {
}
