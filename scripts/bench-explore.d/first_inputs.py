"""Valid files, the first inputs of the Java parsers of bench-explore, by the name of the driver."""

import io, struct, tarfile, zipfile, zlib
def tar():
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        entry = tarfile.TarInfo("a.txt"); entry.size = 5
        archive.addfile(entry, io.BytesIO(b"hello"))
    return out.getvalue()[:1024 + 512]
def zipped():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr(zipfile.ZipInfo("a.txt"), b"hello")
    return out.getvalue()
def png():
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)) + chunk(b"gAMA", struct.pack(">I", 45455)) + chunk(b"IDAT", zlib.compress(b"\0\1\2\3")) + chunk(b"IEND", b"")
BMP = b"BM" + struct.pack("<IHHI", 62, 0, 0, 54) + struct.pack("<IiiHHIIiiII", 40, 1, 1, 1, 24, 0, 8, 2835, 2835, 0, 0) + bytes(8)
FIRST = {
 "Csv": b'a,b\n1,"x ""y"""\n#c\n', "Tar": tar(), "Zip": zipped(), "Ar": b"!<arch>\na.txt/          0           0     0     644     5         `\nhello\n",
 "Cpio": b"070701" + b"".join(b"%08X" % n for n in (1, 0o100644, 0, 0, 1, 0, 5, 0, 0, 0, 0, 6, 0)) + b"a.txt\0hello\0\0\0" , "Arj": b"\x60\xea" + bytes(60),
 "Bmp": BMP, "BmpImage": BMP, "Gif": b"GIF89a\x01\0\x01\0\x80\0\0\xff\xff\xff\0\0\0!\xf9\x04\0\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;",
 "Png": png(), "Jpeg": b"\xff\xd8\xff\xe0\0\x10JFIF\0\1\1\0\0\1\0\1\0\0\xff\xc0\0\x0b\x08\0\1\0\1\1\1\x11\0\xff\xda\0\x08\1\1\0\0\x3f\0\0\xff\xd9",
 "Pcx": bytes([10, 5, 1, 8]) + bytes(124), "Ico": struct.pack("<HHHBBBBHHII", 0, 1, 1, 16, 16, 0, 0, 1, 32, 40, 22) + bytes(40), "Mp3": b"\xff\xfb\x10\xc4" + bytes(100),
}
