// SPDX-License-Identifier: EPL-2.0
/** Which targets the workbench works with, and their connections. Its view stands in a package of its own, above those that start recordings. */
package org.kview.ui.targets;
