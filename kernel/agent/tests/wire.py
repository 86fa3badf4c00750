# SPDX-License-Identifier: GPL-2.0
"""agent.proto for tests: messages as dictionaries, read from the schema file itself."""
import re
import struct

SCALARS = {"uint32", "int32", "uint64", "int64", "fixed64", "bool", "string", "bytes"}


class Schema:
    def __init__(self, path):
        text = re.sub(r"//[^\n]*", "", open(path).read())
        self.messages, self.enums = {}, {}
        self._parse(re.findall(r"[\w.]+|[{}=;\[\]\"]", text))

    def _parse(self, tokens):
        stack, i = [], 0
        while i < len(tokens):
            token = tokens[i]
            if token in ("message", "enum"):
                kind, name = token, tokens[i + 1]
                known = self.messages if kind == "message" else self.enums
                if name in known:
                    raise ValueError("two are named %s, which tests can't tell apart" % name)
                known[name] = {}
                stack.append((kind, name))
                i += 3
            elif token == "oneof":
                stack.append(("oneof", None))
                i += 3
            elif token == "}":
                stack.pop()
                i += 1
            elif stack and stack[-1][0] == "enum" and tokens[i + 1] == "=":
                self.enums[stack[-1][1]][int(tokens[i + 2])] = token
                i += 4
            elif stack and token != ";":
                repeated = token == "repeated"
                type_, name, _, number = tokens[i + repeated:i + repeated + 4]
                owner = [n for k, n in stack if k == "message"][-1]
                self.messages[owner][int(number)] = (name, type_.split(".")[-1], repeated)
                i += repeated + 5
            else:
                while tokens[i] != ";":
                    i += 1
                i += 1

    def encode(self, message, values):
        out = b""
        for number, (name, type_, repeated) in self.messages[message].items():
            if name not in values:
                continue
            for value in values[name] if repeated else [values[name]]:
                out += self._encode_one(number, type_, value)
        return out

    def _encode_one(self, number, type_, value):
        if type_ in self.messages:
            value = self.encode(type_, value)
        elif type_ == "string":
            value = value.encode()
        elif type_ in self.enums and isinstance(value, str):
            value = {v: k for k, v in self.enums[type_].items()}[value]
        if isinstance(value, bytes):
            return varint(number << 3 | 2) + varint(len(value)) + value
        return varint(number << 3) + varint(int(value) & (1 << 64) - 1)

    def decode(self, message, data):
        fields, values, at = self.messages[message], {}, 0
        for name, type_, repeated in fields.values():
            if repeated:
                values[name] = []
            elif type_ not in self.messages:
                values[name] = self._default(type_)
        while at < len(data):
            key, at = read_varint(data, at)
            name, type_, repeated = fields[key >> 3]
            if key & 7 == 0:
                raw, at = read_varint(data, at)
                items = [raw]
            elif key & 7 == 1:
                items, at = [struct.unpack_from("<Q", data, at)[0]], at + 8
            else:
                length, at = read_varint(data, at)
                raw, at = data[at:at + length], at + length
                items = [raw] if type_ in self.messages or type_ in ("string", "bytes") else \
                    list(read_packed(raw))
            for item in items:
                value = self._decode_one(type_, item)
                if repeated:
                    values[name].append(value)
                else:
                    values[name] = value
        return values

    def _decode_one(self, type_, raw):
        if type_ in self.messages:
            return self.decode(type_, raw)
        if type_ == "string":
            return raw.decode()
        if type_ == "bool":
            return bool(raw)
        if type_ in self.enums:
            return self.enums[type_][raw]
        if type_.startswith("int") and raw >> 63:
            return raw - (1 << 64)
        return raw

    def _default(self, type_):
        if type_ in self.enums:
            return self.enums[type_][0]
        return {"string": "", "bytes": b"", "bool": False}.get(type_, 0)


def varint(value):
    if value < 0x80:
        return SMALL[value]
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7f | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


SMALL = [bytes([value]) for value in range(0x80)]


def read_varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7f) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def read_packed(data):
    at = 0
    while at < len(data):
        value, at = read_varint(data, at)
        yield value


def frame(data):
    return struct.pack("<I", len(data)) + data
