// SPDX-License-Identifier: EPL-2.0

/** What differs between two recordings, and whether it is more than their noise. */
package org.kview.compare;
