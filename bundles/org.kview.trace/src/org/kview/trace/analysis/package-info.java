// SPDX-License-Identifier: EPL-2.0

/**
 * What Trace Compass's own views show of a recording: threads and CPUs, calls as a stack, and how long calls took. Each is made
 * when a view first asks for it.
 */
package org.kview.trace.analysis;
