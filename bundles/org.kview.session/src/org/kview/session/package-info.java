// SPDX-License-Identifier: EPL-2.0

/** Sessions on disk. This package holds what all others that work with sessions need. */
package org.kview.session;
