// SPDX-License-Identifier: EPL-2.0

/** The resumable channel to a host's agent: transports in turn, requests and replies, acknowledgements, heartbeat. */
package org.kview.targets.channel;
