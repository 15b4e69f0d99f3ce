"""A small valid Ogg Vorbis file: one channel, one codebook of two words, a floor without points, and a packet of silence."""


class Bits:
    """Bits of a Vorbis packet, the lowest first."""

    def __init__(self):
        self.bits = []

    def put(self, *fields):
        """Appends fields, each a number of bits and a value."""
        for width, value in fields:
            self.bits += [value >> bit & 1 for bit in range(width)]
        return self

    def bytes(self):
        padded = self.bits + [0] * (-len(self.bits) % 8)
        return bytes(sum(bit << i for i, bit in enumerate(padded[at : at + 8])) for at in range(0, len(padded), 8))


def checksum(page):
    """Ogg's: a CRC of 32 bits from the highest bit down."""
    crc = 0
    for byte in page:
        crc ^= byte << 24
        for _ in range(8):
            crc = (crc << 1 ^ (0x04C11DB7 if crc >> 31 else 0)) & 0xFFFFFFFF
    return crc


def page(number, flags, packets):
    lacing = b"".join(bytes([255] * (len(packet) // 255) + [len(packet) % 255]) for packet in packets)
    head = b"OggS\0" + bytes([flags]) + bytes(8) + (1).to_bytes(4, "little") + number.to_bytes(4, "little")
    rest = bytes([len(lacing)]) + lacing + b"".join(packets)
    return head + checksum(head + bytes(4) + rest).to_bytes(4, "little") + rest


def header(kind):
    return bytes([kind]) + b"vorbis"


def identification():
    rates = bytes(12)
    blocks = bytes([6 | 7 << 4])  # blocks of 64 and 128 samples
    return header(1) + bytes(4) + b"\1" + (8000).to_bytes(4, "little") + rates + blocks + b"\1"


def setup():
    bits = Bits()
    bits.put((8, 0), (24, 0x564342), (16, 1), (24, 2), (1, 0), (1, 0), (5, 0), (5, 0), (4, 0))  # a codebook
    bits.put((6, 0), (16, 0))  # times
    bits.put((6, 0), (16, 1), (5, 0), (2, 0), (4, 6))  # a floor
    bits.put((6, 0), (16, 0), (24, 0), (24, 32), (24, 31), (6, 0), (8, 0), (3, 0), (1, 0))  # a residue
    bits.put((6, 0), (16, 0), (1, 0), (1, 0), (2, 0), (8, 0), (8, 0), (8, 0))  # a mapping
    bits.put((6, 0), (1, 0), (16, 0), (16, 0), (8, 0), (1, 1))  # a mode, and the end
    return header(5) + bits.bytes()


def vorbis():
    """The file."""
    comment = header(3) + bytes(8) + b"\1"
    silence = bytes(2)
    return page(0, 2, [identification()]) + page(1, 0, [comment, setup()]) + page(2, 4, [silence, silence])
