// SPDX-License-Identifier: EPL-2.0

/** Requests to a host and its answers as plain values, and their listeners. Knows nothing else of this bundle. */
package org.kview.targets.values;
