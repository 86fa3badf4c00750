// SPDX-License-Identifier: EPL-2.0

/** Sessions on disk: store, report, compare and export. */
package org.kview.session;
