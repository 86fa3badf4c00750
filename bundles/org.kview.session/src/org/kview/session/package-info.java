// SPDX-License-Identifier: EPL-2.0

/** Sessions on disk. Here stands what all who work with them know. */
package org.kview.session;
