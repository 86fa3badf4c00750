// SPDX-License-Identifier: EPL-2.0
/** Which host keys a user trusts: known_hosts files, read and written as OpenSSH does. Knows no SSH library. */
package org.kview.ssh.hostkeys;
