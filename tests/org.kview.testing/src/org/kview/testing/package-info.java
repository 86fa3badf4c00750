// SPDX-License-Identifier: EPL-2.0

/** What the tests of several bundles share. */
package org.kview.testing;
