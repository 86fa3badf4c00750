// SPDX-License-Identifier: EPL-2.0
/** The targets that a user works with, and how the connection to each of them stands. Knows no SSH and no user interface. */
package org.kview.targets.registry;
