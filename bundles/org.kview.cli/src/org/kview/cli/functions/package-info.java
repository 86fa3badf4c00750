// SPDX-License-Identifier: EPL-2.0

/** The command that lists what can be probed. */
package org.kview.cli.functions;
