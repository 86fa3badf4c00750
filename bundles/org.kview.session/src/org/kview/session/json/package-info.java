// SPDX-License-Identifier: EPL-2.0

/** How values are printed as JSON, in session files and in reports alike. */
package org.kview.session.json;
