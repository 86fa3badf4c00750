// SPDX-License-Identifier: EPL-2.0
package org.kview.target;

/**
 * A started program that waits for {@link Agent#resume}.
 *
 * @param pid        its number
 * @param executable path
 */
public record LaunchedProcess(long pid, String executable) {
}
