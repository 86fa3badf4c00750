// SPDX-License-Identifier: EPL-2.0

/** The Eclipse application and its branding. */
package org.kview.workbench;
