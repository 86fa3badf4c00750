// SPDX-License-Identifier: EPL-2.0

/**
 * Traces that libbabeltrace2 reads, as a trace type of Trace Compass. The library ends its process where a damaged trace makes one
 * of its assertions fail, goes through a trace in one direction only, and is of one thread. So a process of its own reads the trace
 * once, and writes its events one after the other into a file, in which Trace Compass finds each of them by its place.
 *
 * <pre>
 * names    for each name, in the order of their numbers: the length of its UTF-8 as an int, and that
 * events   for each event: the length of what follows as an int, and
 *          long nanos · int name · int channel · int CPU · byte kind
 *            kind 0, an event:  a structure: its payload, and behind it what is said beside
 *            kind 1, lost ones: long first ns · long last ns · long count, -1 if it is not known · byte 1 if packets are missing
 * a structure: short count, and for each field int name, and a value
 * a value:     byte type of {@link org.kview.trace.babeltrace.ValueType}, and what that says
 * </pre>
 *
 * Names are written before the events that have them. All numbers are big-endian.
 */
package org.kview.trace.babeltrace;
