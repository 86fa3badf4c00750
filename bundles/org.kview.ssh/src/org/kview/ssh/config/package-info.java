// SPDX-License-Identifier: EPL-2.0
/** What {@code ~/.ssh/config} says about a host, resolved as OpenSSH does. Knows no SSH library. */
package org.kview.ssh.config;
