// SPDX-License-Identifier: EPL-2.0
package org.kview.babeltrace;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.kview.babeltrace.Library.action;
import static org.kview.babeltrace.Library.function;
import static org.kview.babeltrace.Library.getter;
import static org.kview.babeltrace.Library.laterGetter;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;

/**
 * The functions of libbabeltrace2 that are used here; named as there, without {@code bt_}. Pointers are {@code long}s: a
 * segment for each would be an object for each field of each event. They are constants, so that the JIT compiles calls in place.
 */
final class Native {
    /** A pointer. */
    private static final ValueLayout.OfLong P = JAVA_LONG;
    private static final ValueLayout.OfInt STATUS = JAVA_INT;

    /** All memory: what the library's pointers point to is read from here. */
    private static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    static final int OK = 0;
    static final int END = 1;
    static final int AGAIN = 11;
    static final int NOT_FOUND = 2;
    static final int ERROR = -1;
    static final int LOG_NOTHING = 0xff;

    static final MethodHandle VERSION_MAJOR = getter("bt_version_get_major", JAVA_INT);
    static final MethodHandle VERSION_MINOR = getter("bt_version_get_minor", JAVA_INT);
    static final MethodHandle VERSION_PATCH = getter("bt_version_get_patch", JAVA_INT);
    static final MethodHandle NEWEST_INTERFACE = getter("bt_get_maximal_mip_version", JAVA_LONG);
    static final MethodHandle SET_LOG_LEVEL = action("bt_logging_set_global_level", JAVA_INT);

    static final MethodHandle TAKE_ERROR = function("bt_current_thread_take_error", P);
    static final MethodHandle ERROR_CAUSES = getter("bt_error_get_cause_count", JAVA_LONG, P);
    static final MethodHandle ERROR_CAUSE = getter("bt_error_borrow_cause_by_index", P, P, JAVA_LONG);
    static final MethodHandle CAUSE_MESSAGE = getter("bt_error_cause_get_message", P, P);
    static final MethodHandle CAUSE_MODULE = getter("bt_error_cause_get_module_name", P, P);
    static final MethodHandle CAUSE_FILE = getter("bt_error_cause_get_file_name", P, P);
    static final MethodHandle CAUSE_LINE = getter("bt_error_cause_get_line_number", JAVA_LONG, P);
    static final MethodHandle ERROR_RELEASE = action("bt_error_release", P);

    static final MethodHandle PLUGIN_FIND = function("bt_plugin_find", STATUS, P, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT,
            JAVA_INT, P);
    static final MethodHandle PLUGIN_SOURCE = getter("bt_plugin_borrow_source_component_class_by_name_const", P, P, P);
    static final MethodHandle PLUGIN_FILTER = getter("bt_plugin_borrow_filter_component_class_by_name_const", P, P, P);
    static final MethodHandle PLUGIN_PUT = action("bt_plugin_put_ref", P);

    static final MethodHandle MAP_CREATE = function("bt_value_map_create", P);
    static final MethodHandle MAP_TEXT = function("bt_value_map_insert_string_entry", STATUS, P, P, P);
    static final MethodHandle MAP_BOOL = function("bt_value_map_insert_bool_entry", STATUS, P, P, JAVA_INT);
    static final MethodHandle MAP_SIGNED = function("bt_value_map_insert_signed_integer_entry", STATUS, P, P, JAVA_LONG);
    static final MethodHandle MAP_ARRAY = function("bt_value_map_insert_empty_array_entry", STATUS, P, P, P);
    static final MethodHandle ARRAY_TEXT = function("bt_value_array_append_string_element", STATUS, P, P);
    static final MethodHandle VALUE_TYPE = getter("bt_value_get_type", JAVA_INT, P);
    static final MethodHandle VALUE_SIGNED = getter("bt_value_integer_signed_get", JAVA_LONG, P);
    static final MethodHandle VALUE_TEXT = getter("bt_value_string_get", P, P);
    static final MethodHandle VALUE_PUT = action("bt_value_put_ref", P);

    static final MethodHandle GRAPH_CREATE = function("bt_graph_create", P, JAVA_LONG);
    static final MethodHandle GRAPH_SOURCE = function("bt_graph_add_source_component", STATUS, P, P, P, P, JAVA_INT, P);
    static final MethodHandle GRAPH_FILTER = function("bt_graph_add_filter_component", STATUS, P, P, P, P, JAVA_INT, P);
    static final MethodHandle GRAPH_SINK = function("bt_graph_add_simple_sink_component", STATUS, P, P, P, P, P, P, P);
    static final MethodHandle GRAPH_CONNECT = function("bt_graph_connect_ports", STATUS, P, P, P, P);
    static final MethodHandle GRAPH_RUN_ONCE = function("bt_graph_run_once", STATUS, P);
    static final MethodHandle GRAPH_PUT = action("bt_graph_put_ref", P);
    static final MethodHandle SOURCE_OUTPUTS = getter("bt_component_source_get_output_port_count", JAVA_LONG, P);
    static final MethodHandle SOURCE_OUTPUT = getter("bt_component_source_borrow_output_port_by_index_const", P, P, JAVA_LONG);
    static final MethodHandle FILTER_INPUTS = getter("bt_component_filter_get_input_port_count", JAVA_LONG, P);
    static final MethodHandle FILTER_INPUT = getter("bt_component_filter_borrow_input_port_by_index_const", P, P, JAVA_LONG);
    static final MethodHandle FILTER_OUTPUTS = getter("bt_component_filter_get_output_port_count", JAVA_LONG, P);
    static final MethodHandle FILTER_OUTPUT = getter("bt_component_filter_borrow_output_port_by_index_const", P, P, JAVA_LONG);
    static final MethodHandle SINK_INPUT = getter("bt_component_sink_borrow_input_port_by_index_const", P, P, JAVA_LONG);

    static final MethodHandle ITERATOR_NEXT = function("bt_message_iterator_next", STATUS, P, P, P);
    static final MethodHandle MESSAGE_TYPE = getter("bt_message_get_type", JAVA_INT, P);
    static final MethodHandle MESSAGE_PUT = action("bt_message_put_ref", P);
    static final MethodHandle MESSAGE_EVENT = getter("bt_message_event_borrow_event_const", P, P);
    static final MethodHandle MESSAGE_EVENT_CLOCK = getter("bt_message_event_borrow_default_clock_snapshot_const", P, P);
    static final MethodHandle INACTIVITY_CLOCK = getter(
            "bt_message_message_iterator_inactivity_borrow_clock_snapshot_const", P, P);
    static final MethodHandle CLOCK_VALUE = getter("bt_clock_snapshot_get_value", JAVA_LONG, P);
    static final MethodHandle CLOCK_NANOS = function("bt_clock_snapshot_get_ns_from_origin", STATUS, P, P);

    static final MethodHandle EVENT_CLASS = getter("bt_event_borrow_class_const", P, P);
    static final MethodHandle EVENT_STREAM = getter("bt_event_borrow_stream_const", P, P);
    static final MethodHandle EVENT_PACKET = getter("bt_event_borrow_packet_const", P, P);
    static final MethodHandle EVENT_PAYLOAD = getter("bt_event_borrow_payload_field_const", P, P);
    static final MethodHandle EVENT_CONTEXT = getter("bt_event_borrow_specific_context_field_const", P, P);
    static final MethodHandle EVENT_COMMON = getter("bt_event_borrow_common_context_field_const", P, P);
    static final MethodHandle PACKET_CONTEXT = getter("bt_packet_borrow_context_field_const", P, P);

    static final MethodHandle FIELD_BOOL = getter("bt_field_bool_get_value", JAVA_INT, P);
    static final MethodHandle FIELD_BITS = getter("bt_field_bit_array_get_value_as_integer", JAVA_LONG, P);
    static final MethodHandle FIELD_UNSIGNED = getter("bt_field_integer_unsigned_get_value", JAVA_LONG, P);
    static final MethodHandle FIELD_SIGNED = getter("bt_field_integer_signed_get_value", JAVA_LONG, P);
    static final MethodHandle FIELD_FLOAT = getter("bt_field_real_single_precision_get_value", JAVA_FLOAT, P);
    static final MethodHandle FIELD_DOUBLE = getter("bt_field_real_double_precision_get_value", JAVA_DOUBLE, P);
    static final MethodHandle FIELD_TEXT_LENGTH = getter("bt_field_string_get_length", JAVA_LONG, P);
    static final MethodHandle FIELD_TEXT = getter("bt_field_string_get_value", P, P);
    static final MethodHandle FIELD_BLOB_LENGTH = laterGetter("bt_field_blob_get_length", JAVA_LONG, P);
    static final MethodHandle FIELD_BLOB = laterGetter("bt_field_blob_get_data_const", P, P);
    static final MethodHandle FIELD_ARRAY_LENGTH = getter("bt_field_array_get_length", JAVA_LONG, P);
    static final MethodHandle FIELD_ELEMENT = getter("bt_field_array_borrow_element_field_by_index_const", P, P, JAVA_LONG);
    static final MethodHandle FIELD_MEMBER = getter("bt_field_structure_borrow_member_field_by_index_const", P, P, JAVA_LONG);
    static final MethodHandle FIELD_OPTION = getter("bt_field_option_borrow_field_const", P, P);
    static final MethodHandle FIELD_SELECTED = getter("bt_field_variant_get_selected_option_index", JAVA_LONG, P);
    static final MethodHandle FIELD_SELECTED_FIELD = getter("bt_field_variant_borrow_selected_option_field_const", P, P);

    private Native() {
    }

    static long longAt(long address) {
        return MEMORY.get(JAVA_LONG, address);
    }

    /** The text at a pointer, up to its zero; empty for a null pointer. */
    static String text(long address) {
        return address == 0 ? "" : MEMORY.getString(address);
    }

    static String text(long address, int bytes) {
        return new String(bytes(address, bytes), StandardCharsets.UTF_8);
    }

    static byte[] bytes(long address, int count) {
        return MEMORY.asSlice(address, count).toArray(ValueLayout.JAVA_BYTE);
    }

    /** What a call through a handle throws is a mistake in these bindings, or an error of the JVM. */
    static RuntimeException broken(Throwable thrown) {
        return switch (thrown) {
            case RuntimeException e -> e;
            case Error e -> throw e;
            default -> new IllegalStateException(thrown);
        };
    }
}
