// SPDX-License-Identifier: EPL-2.0

/** The resumable way to a host's agent: one transport after the other, requests and replies, what was received, who is there. */
package org.kview.targets.channel;
