// SPDX-License-Identifier: EPL-2.0
/** The targets that a user works with, and the status of their connections. Knows neither SSH nor user interface. */
package org.kview.targets.registry;
