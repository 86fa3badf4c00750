// SPDX-License-Identifier: EPL-2.0

/** Which host a command works on, and the commands about hosts: what one can do, and what a recording left on it. */
package org.kview.cli.targets;
