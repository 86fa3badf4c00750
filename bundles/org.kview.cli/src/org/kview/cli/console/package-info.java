// SPDX-License-Identifier: EPL-2.0

/** What all commands share: where they print, how they end, and the options that each of them has. */
package org.kview.cli.console;
