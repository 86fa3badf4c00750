// SPDX-License-Identifier: EPL-2.0

/** Plain values: what was measured, where and how. Knows no other bundle. */
package org.kview.model;
