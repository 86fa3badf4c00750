// SPDX-License-Identifier: EPL-2.0

/** The events of a recording, read without Eclipse: what {@code kernel/protocol/trace.tsdl} describes. */
package org.kview.ctf;
