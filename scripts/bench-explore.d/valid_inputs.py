"""A valid file for each of the C parsers of bench-explore, by the name of the program."""

import struct
import zlib

from first_inputs import FIRST


def wav():
    form = struct.pack("<HHIIHH", 1, 1, 8000, 8000, 1, 8)
    chunks = b"fmt " + struct.pack("<I", len(form)) + form + b"data" + struct.pack("<I", 8) + bytes(range(8))
    return b"RIFF" + struct.pack("<I", 4 + len(chunks)) + b"WAVE" + chunks


def psd():
    header = b"8BPS" + struct.pack(">H6xHIIHH", 1, 3, 2, 2, 8, 3)
    return header + struct.pack(">III", 0, 0, 0) + struct.pack(">H", 0) + bytes(range(12))


def gzip():
    squeeze = zlib.compressobj(9, zlib.DEFLATED, 31)
    return squeeze.compress(b"the quick brown fox, the quick brown dog") + squeeze.flush()


JSON = b'{"name": [1, -2.5e3, true, null], "text": "a\\u00e9\\n"}'

VALID = {
    "stb-bmp": FIRST["Bmp"],
    "stb-gif": FIRST["Gif"],
    "stb-pnm": b"P6\n# two by two\n2 2\n255\n" + bytes(range(12)),
    "stb-psd": psd(),
    "stb-tga": struct.pack("<BBBHHBHHHHBB", 0, 0, 2, 0, 0, 0, 0, 0, 2, 2, 24, 0) + bytes(range(12)),
    "dr-wav": wav(),
    "minimp3": FIRST["Mp3"],
    "lodepng": FIRST["Png"],
    "cjson": JSON,
    "expat": b'<?xml version="1.0"?><a x="1"><!-- c --><b>text &amp; more</b><![CDATA[d]]></a>',
    "inflate": gzip(),
    "jansson": JSON,
    "libyaml": b"%YAML 1.1\n---\na: &x [1, 'two', \"th\\u0072ee\"]\nb: *x\nc: |\n  text\n...\n",
}
