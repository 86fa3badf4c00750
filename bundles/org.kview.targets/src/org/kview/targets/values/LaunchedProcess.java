// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.values;

/**
 * A program that was started and waits to be resumed.
 *
 * @param pid        its number
 * @param executable path
 */
public record LaunchedProcess(long pid, String executable) {
}
