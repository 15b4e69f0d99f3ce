//! The checksums of zip and zlib.

/// The CRC-32 of what `crc` stands for, followed by these bytes.
pub(crate) fn crc32(crc: u32, bytes: &[u8]) -> u32 {
    let step = |mut crc: u32, &byte: &u8| {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = if crc & 1 != 0 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 };
        }
        crc
    };
    !bytes.iter().fold(!crc, step)
}

/// The Adler-32 in the same way.
pub(crate) fn adler32(sum: u32, bytes: &[u8]) -> u32 {
    let step = |(a, b): (u32, u32), &byte: &u8| {
        let a = (a + u32::from(byte)) % 65521;
        (a, (b + a) % 65521)
    };
    let (a, b) = bytes.iter().fold((sum & 0xffff, sum >> 16), step);
    b << 16 | a
}
