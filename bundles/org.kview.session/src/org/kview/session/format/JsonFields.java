// SPDX-License-Identifier: EPL-2.0
package org.kview.session.format;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

import org.kview.session.SessionException;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * The members of a JSON object that was written by anyone: every one that is asked for is there and
 * of the right kind, or the file is damaged.
 *
 * @param file whose name a complaint gives
 * @param node the object
 * @param path where it stands in the file, for a complaint
 */
record JsonFields(String file, JsonNode node, String path) {

    String text(String name) throws SessionException {
        return require(name, JsonNode::isTextual, "a text").textValue();
    }

    Optional<String> optionalText(String name) throws SessionException {
        return node.has(name) ? Optional.of(text(name)) : Optional.empty();
    }

    boolean flag(String name) throws SessionException {
        return require(name, JsonNode::isBoolean, "true or false").booleanValue();
    }

    /** A whole number. */
    long number(String name) throws SessionException {
        return require(name, n -> n.isIntegralNumber() && n.canConvertToLong(), "a whole number").longValue();
    }

    /** Any number, as doubles have them. */
    double decimal(String name) throws SessionException {
        return require(name, JsonNode::isNumber, "a number").doubleValue();
    }

    /** Texts; none where the member is missing. */
    List<String> optionalTexts(String name) throws SessionException {
        List<String> texts = new ArrayList<>();
        for (JsonNode text : node.path(name)) {
            if (!text.isTextual()) {
                throw damaged(name, "holds something that is no text");
            }
            texts.add(text.textValue());
        }
        return texts;
    }

    /** A whole number that is not negative. */
    long count(String name) throws SessionException {
        long value = number(name);
        if (value < 0) {
            throw damaged(name, "is negative");
        }
        return value;
    }

    /** Likewise, not larger than that. */
    long count(String name, long most) throws SessionException {
        long value = count(name);
        if (value > most) {
            throw damaged(name, "is more than any session has");
        }
        return value;
    }

    /** Likewise, however large; 0 where it is missing, as before it was counted. */
    long optionalCount(String name) throws SessionException {
        return node.has(name) ? count(name) : 0;
    }

    /** What makes a value of members. */
    @FunctionalInterface
    interface Making<T> {
        T make() throws SessionException;
    }

    /** Makes a value; if its constructor refuses the members, the file is damaged. */
    <T> T value(Making<T> making) throws SessionException {
        try {
            return making.make();
        } catch (IllegalArgumentException e) {
            String what = path.isEmpty() ? "its contents" : path.substring(0, path.length() - 1);
            throw new SessionException(file + " is damaged: " + what + " can't be right: " + e.getMessage(), e);
        }
    }

    int smallCount(String name) throws SessionException {
        long value = count(name);
        if (value > Integer.MAX_VALUE) {
            throw damaged(name, "is too large");
        }
        return (int) value;
    }

    /** A number in hexadecimal digits. */
    long hex(String name) throws SessionException {
        String text = text(name);
        try {
            return Long.parseUnsignedLong(text, 16);
        } catch (NumberFormatException e) {
            throw damaged(name, "is no hexadecimal number");
        }
    }

    JsonFields object(String name) throws SessionException {
        return new JsonFields(file, require(name, JsonNode::isObject, "an object"), path + name + ".");
    }

    Optional<JsonFields> optionalObject(String name) throws SessionException {
        return node.has(name) ? Optional.of(object(name)) : Optional.empty();
    }

    Iterable<JsonFields> objects(String name) throws SessionException {
        Iterator<JsonNode> elements = require(name, JsonNode::isArray, "an array").elements();
        List<JsonFields> objects = new ArrayList<>();
        while (elements.hasNext()) {
            JsonFields element = new JsonFields(file, elements.next(), path + name + "[" + objects.size() + "].");
            if (!element.node.isObject()) {
                throw damaged(name, "holds something that is no object");
            }
            objects.add(element);
        }
        return objects;
    }

    SessionException damaged(String name, String what) {
        return new SessionException(file + " is damaged: " + path + name + " " + what);
    }

    private JsonNode require(String name, Predicate<JsonNode> kind, String what)
            throws SessionException {
        JsonNode value = node.get(name);
        if (value == null || !kind.test(value)) {
            throw damaged(name, value == null ? "is missing" : "is not " + what);
        }
        return value;
    }
}
