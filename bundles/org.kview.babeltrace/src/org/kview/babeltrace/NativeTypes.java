// SPDX-License-Identifier: EPL-2.0
package org.kview.babeltrace;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.kview.babeltrace.Library.action;
import static org.kview.babeltrace.Library.getter;

import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Those functions of libbabeltrace2 that describe a trace: called once for each class of events, not for each event. */
final class NativeTypes {
    private static final ValueLayout.OfLong P = JAVA_LONG;

    static final MethodHandle EVENT_CLASS_ID = getter("bt_event_class_get_id", JAVA_LONG, P);
    static final MethodHandle EVENT_CLASS_NAME = getter("bt_event_class_get_name", P, P);
    static final MethodHandle EVENT_CLASS_PAYLOAD = getter("bt_event_class_borrow_payload_field_class_const", P, P);
    static final MethodHandle EVENT_CLASS_CONTEXT = getter("bt_event_class_borrow_specific_context_field_class_const", P, P);
    static final MethodHandle EVENT_CLASS_GET = action("bt_event_class_get_ref", P);
    static final MethodHandle EVENT_CLASS_PUT = action("bt_event_class_put_ref", P);

    static final MethodHandle STREAM_CLASS = getter("bt_stream_borrow_class_const", P, P);
    static final MethodHandle STREAM_TRACE = getter("bt_stream_borrow_trace_const", P, P);
    static final MethodHandle STREAM_ID = getter("bt_stream_get_id", JAVA_LONG, P);
    static final MethodHandle STREAM_NAME = getter("bt_stream_get_name", P, P);
    static final MethodHandle STREAM_GET = action("bt_stream_get_ref", P);
    static final MethodHandle STREAM_PUT = action("bt_stream_put_ref", P);
    static final MethodHandle CLASS_CLOCK = getter("bt_stream_class_borrow_default_clock_class_const", P, P);
    static final MethodHandle CLASS_PACKET_CONTEXT = getter("bt_stream_class_borrow_packet_context_field_class_const", P, P);
    static final MethodHandle CLASS_COMMON = getter("bt_stream_class_borrow_event_common_context_field_class_const", P, P);
    static final MethodHandle CLASS_PACKETS = getter("bt_stream_class_supports_packets", JAVA_INT, P);
    static final MethodHandle CLASS_PACKET_BEGIN_CLOCK = getter(
            "bt_stream_class_packets_have_beginning_default_clock_snapshot", JAVA_INT, P);
    static final MethodHandle CLASS_PACKET_END_CLOCK = getter(
            "bt_stream_class_packets_have_end_default_clock_snapshot", JAVA_INT, P);
    static final MethodHandle CLASS_LOST_EVENTS_CLOCK = getter(
            "bt_stream_class_discarded_events_have_default_clock_snapshots", JAVA_INT, P);
    static final MethodHandle CLASS_LOST_PACKETS_CLOCK = getter(
            "bt_stream_class_discarded_packets_have_default_clock_snapshots", JAVA_INT, P);
    static final MethodHandle PACKET_STREAM = getter("bt_packet_borrow_stream_const", P, P);

    static final MethodHandle CLOCK_NAME = getter("bt_clock_class_get_name", P, P);
    static final MethodHandle CLOCK_FREQUENCY = getter("bt_clock_class_get_frequency", JAVA_LONG, P);
    static final MethodHandle CLOCK_OFFSET = Library.action("bt_clock_class_get_offset", P, P, P);
    static final MethodHandle CLOCK_EPOCH = getter("bt_clock_class_origin_is_unix_epoch", JAVA_INT, P);

    static final MethodHandle TRACE_NAME = getter("bt_trace_get_name", P, P);
    static final MethodHandle ENVIRONMENT_COUNT = getter("bt_trace_get_environment_entry_count", JAVA_LONG, P);
    static final MethodHandle ENVIRONMENT_ENTRY = action("bt_trace_borrow_environment_entry_by_index_const", P, JAVA_LONG, P, P);

    static final MethodHandle STREAM_BEGIN_STREAM = getter("bt_message_stream_beginning_borrow_stream_const", P, P);
    static final MethodHandle STREAM_BEGIN_CLOCK = getter("bt_message_stream_beginning_borrow_default_clock_snapshot_const",
            JAVA_INT, P, P);
    static final MethodHandle STREAM_END_STREAM = getter("bt_message_stream_end_borrow_stream_const", P, P);
    static final MethodHandle STREAM_END_CLOCK = getter("bt_message_stream_end_borrow_default_clock_snapshot_const",
            JAVA_INT, P, P);
    static final MethodHandle PACKET_BEGIN = getter("bt_message_packet_beginning_borrow_packet_const", P, P);
    static final MethodHandle PACKET_BEGIN_CLOCK = getter("bt_message_packet_beginning_borrow_default_clock_snapshot_const", P, P);
    static final MethodHandle PACKET_END = getter("bt_message_packet_end_borrow_packet_const", P, P);
    static final MethodHandle PACKET_END_CLOCK = getter("bt_message_packet_end_borrow_default_clock_snapshot_const", P, P);
    static final MethodHandle LOST_EVENTS_STREAM = getter("bt_message_discarded_events_borrow_stream_const", P, P);
    static final MethodHandle LOST_EVENTS_COUNT = getter("bt_message_discarded_events_get_count", JAVA_INT, P, P);
    static final MethodHandle LOST_EVENTS_BEGIN = getter(
            "bt_message_discarded_events_borrow_beginning_default_clock_snapshot_const", P, P);
    static final MethodHandle LOST_EVENTS_END = getter(
            "bt_message_discarded_events_borrow_end_default_clock_snapshot_const", P, P);
    static final MethodHandle LOST_PACKETS_STREAM = getter("bt_message_discarded_packets_borrow_stream_const", P, P);
    static final MethodHandle LOST_PACKETS_COUNT = getter("bt_message_discarded_packets_get_count", JAVA_INT, P, P);
    static final MethodHandle LOST_PACKETS_BEGIN = getter(
            "bt_message_discarded_packets_borrow_beginning_default_clock_snapshot_const", P, P);
    static final MethodHandle LOST_PACKETS_END = getter(
            "bt_message_discarded_packets_borrow_end_default_clock_snapshot_const", P, P);

    static final MethodHandle TYPE = getter("bt_field_class_get_type", JAVA_LONG, P);
    static final MethodHandle TYPE_BITS = getter("bt_field_class_bit_array_get_length", JAVA_LONG, P);
    static final MethodHandle TYPE_RANGE = getter("bt_field_class_integer_get_field_value_range", JAVA_LONG, P);
    static final MethodHandle TYPE_BASE = getter("bt_field_class_integer_get_preferred_display_base", JAVA_INT, P);
    static final MethodHandle TYPE_MAPPINGS = getter("bt_field_class_enumeration_get_mapping_count", JAVA_LONG, P);
    static final MethodHandle MAPPING_LABEL = getter("bt_field_class_enumeration_mapping_get_label", P, P);
    static final MethodHandle UNSIGNED_MAPPING = getter(
            "bt_field_class_enumeration_unsigned_borrow_mapping_by_index_const", P, P, JAVA_LONG);
    static final MethodHandle UNSIGNED_RANGES = getter("bt_field_class_enumeration_unsigned_mapping_borrow_ranges_const", P, P);
    static final MethodHandle SIGNED_MAPPING = getter(
            "bt_field_class_enumeration_signed_borrow_mapping_by_index_const", P, P, JAVA_LONG);
    static final MethodHandle SIGNED_RANGES = getter("bt_field_class_enumeration_signed_mapping_borrow_ranges_const", P, P);
    static final MethodHandle RANGE_COUNT = getter("bt_integer_range_set_get_range_count", JAVA_LONG, P);
    static final MethodHandle UNSIGNED_RANGE = getter("bt_integer_range_set_unsigned_borrow_range_by_index_const", P, P, JAVA_LONG);
    static final MethodHandle UNSIGNED_LOWER = getter("bt_integer_range_unsigned_get_lower", JAVA_LONG, P);
    static final MethodHandle UNSIGNED_UPPER = getter("bt_integer_range_unsigned_get_upper", JAVA_LONG, P);
    static final MethodHandle SIGNED_RANGE = getter("bt_integer_range_set_signed_borrow_range_by_index_const", P, P, JAVA_LONG);
    static final MethodHandle SIGNED_LOWER = getter("bt_integer_range_signed_get_lower", JAVA_LONG, P);
    static final MethodHandle SIGNED_UPPER = getter("bt_integer_range_signed_get_upper", JAVA_LONG, P);
    static final MethodHandle ARRAY_ELEMENT = getter("bt_field_class_array_borrow_element_field_class_const", P, P);
    static final MethodHandle ARRAY_LENGTH = getter("bt_field_class_array_static_get_length", JAVA_LONG, P);
    static final MethodHandle BLOB_LENGTH = Library.laterGetter("bt_field_class_blob_static_get_length", JAVA_LONG, P);
    static final MethodHandle MEMBERS = getter("bt_field_class_structure_get_member_count", JAVA_LONG, P);
    static final MethodHandle MEMBER = getter("bt_field_class_structure_borrow_member_by_index_const", P, P, JAVA_LONG);
    static final MethodHandle MEMBER_NAME = getter("bt_field_class_structure_member_get_name", P, P);
    static final MethodHandle MEMBER_TYPE = getter("bt_field_class_structure_member_borrow_field_class_const", P, P);
    static final MethodHandle OPTION_TYPE = getter("bt_field_class_option_borrow_field_class_const", P, P);
    static final MethodHandle CHOICES = getter("bt_field_class_variant_get_option_count", JAVA_LONG, P);
    static final MethodHandle CHOICE = getter("bt_field_class_variant_borrow_option_by_index_const", P, P, JAVA_LONG);
    static final MethodHandle CHOICE_NAME = getter("bt_field_class_variant_option_get_name", P, P);
    static final MethodHandle CHOICE_TYPE = getter("bt_field_class_variant_option_borrow_field_class_const", P, P);

    private NativeTypes() {
    }
}
