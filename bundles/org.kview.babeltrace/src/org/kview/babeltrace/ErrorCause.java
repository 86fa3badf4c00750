// SPDX-License-Identifier: EPL-2.0
package org.kview.babeltrace;

/**
 * One of the causes that libbabeltrace2 gives for an error. Texts may hold what a trace says: they are not to be trusted.
 *
 * @param message what happened
 * @param module  the part of the library, or the component, that says so
 * @param file    the library's source file
 * @param line    and the line in it
 */
public record ErrorCause(String message, String module, String file, long line) {
}
