//! `java.util.zip`: compression and checksums. Bytes are taken as they are in this run.
//!
//! What is compressed is kept until the stream is finished and then compressed at once; it inflates to the same, but it is not zlib's
//! choice of codes. Flushing in between is not supported and says so.

use super::NativeRow;
use super::lang::{value, value64};
use crate::checksum::adler32;
use crate::domain::Values;
use crate::heap::HEADER;
use crate::kind::Kind;
use crate::machine::{Done, Fault, Machine, NativeResult, Stop};
use miniz_oxide::inflate::stream::{InflateState, inflate};
use miniz_oxide::{DataFormat, MZError, MZFlush, MZStatus};

/// What `Deflater.FINISH` passes to the native; 0 is to go on.
const FINISH: u64 = 4;

/// A stream that a program compresses or decompresses.
#[derive(Clone)]
pub(crate) enum ZipStream {
    /// Decompression: whether without a header, whether something came in, and the checksum of what came out.
    Inflate { state: Box<InflateState>, raw: bool, begun: bool, sum: u32 },
    /// Compression: level, whether without a header, what came in, what is to go out (none until it is finished) and how much of it went.
    Deflate(u8, bool, Vec<u8>, Option<Vec<u8>>, usize),
}

impl std::fmt::Debug for ZipStream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            ZipStream::Inflate { .. } => "Inflate",
            ZipStream::Deflate(..) => "Deflate",
        })
    }
}

fn inflater(raw: bool) -> ZipStream {
    let format = if raw { DataFormat::Raw } else { DataFormat::Zlib };
    ZipStream::Inflate { state: InflateState::new_boxed(format), raw, begun: false, sum: 1 }
}

fn add<D: Values>(m: &mut Machine<D>, stream: ZipStream) -> NativeResult<D> {
    m.world.streams.push(Some(stream));
    Ok(value64::<D>(m.world.streams.len() as u64))
}

/// The bytes of a part of an array, as they are in this run.
fn taken<D: Values>(m: &mut Machine<D>, array: u32, from: u32, length: u32) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(length as usize);
    for i in 0..length {
        let byte = m.domain.load(&m.heap, array + HEADER + from + i, Kind::Byte);
        bytes.push(m.plain(byte) as u8);
    }
    bytes
}

fn put<D: Values>(m: &mut Machine<D>, array: u32, at: u32, bytes: &[u8]) {
    for (i, &byte) in bytes.iter().enumerate() {
        let place = array + HEADER + at + i as u32;
        m.domain.store(&mut m.heap, place, Kind::Byte, D::constant(u64::from(byte)));
    }
}

/// Which stream an argument names.
fn slot<D: Values>(m: &mut Machine<D>, a: D::Value) -> usize {
    (m.plain(a) as usize).wrapping_sub(1)
}

/// What zlib says of the first two bytes of a stream that are not those of one.
fn header_error(first: u8, second: u8) -> Option<&'static str> {
    if (u32::from(first) << 8 | u32::from(second)) % 31 != 0 {
        Some("incorrect header check")
    } else if first & 15 != 8 {
        Some("unknown compression method")
    } else if first >> 4 > 7 {
        Some("invalid window size")
    } else {
        None
    }
}

/// `inflateBytesBytes`: what was consumed and given, whether it is finished, in one number.
fn inflate_bytes<D: Values>(m: &mut Machine<D>, a: &[D::Value]) -> NativeResult<D> {
    let at = slot(m, a[1]);
    let [from, length, to, room] = [a[4], a[5], a[7], a[8]].map(|value| m.plain(value) as u32);
    let input = taken(m, D::bits(a[3]) as u32, from, length);
    let Some(Some(ZipStream::Inflate { state, raw, begun, sum })) = m.world.streams.get_mut(at) else {
        return Err(Fault::New("java/lang/NullPointerException", Some("Inflater has been closed".into())));
    };
    let mut output = vec![0; room as usize];
    let begins = !*raw && !*begun && input.len() >= 2;
    let header = if begins { header_error(input[0], input[1]) } else { None };
    *begun |= !input.is_empty();
    let done = inflate(state, &input, &mut output, MZFlush::None);
    output.truncate(done.bytes_written);
    *sum = adler32(*sum, &output);
    put(m, D::bits(a[6]) as u32, to, &output);
    let finished = match done.status {
        Ok(MZStatus::StreamEnd) => 1,
        Ok(MZStatus::NeedDict) => 2,
        Ok(MZStatus::Ok) | Err(MZError::Buf) => 0,
        Err(_) => {
            let this = D::bits(a[0]) as u32;
            m.set_bits(this, "inputConsumed", done.bytes_consumed as u64);
            m.set_bits(this, "outputConsumed", done.bytes_written as u64);
            let message = header.unwrap_or("invalid stored block lengths");
            return Err(Fault::New("java/util/zip/DataFormatException", Some(message.into())));
        }
    };
    Ok(value64::<D>(done.bytes_consumed as u64 | (done.bytes_written as u64) << 31 | finished << 62))
}

fn deflate_bytes<D: Values>(m: &mut Machine<D>, a: &[D::Value]) -> NativeResult<D> {
    let at = slot(m, a[1]);
    let [from, length, to, room] = [a[4], a[5], a[7], a[8]].map(|value| m.plain(value) as u32);
    let flush = m.plain(a[9]);
    if flush != 0 && flush != FINISH {
        return Err(Fault::Stop(Stop::Unsupported("Deflater.SYNC_FLUSH".into())));
    }
    let input = taken(m, D::bits(a[3]) as u32, from, length);
    let Some(Some(ZipStream::Deflate(level, raw, pending, output, given))) = m.world.streams.get_mut(at)
    else {
        return Err(Fault::New("java/lang/NullPointerException", Some("Deflater has been closed".into())));
    };
    pending.extend_from_slice(&input);
    if flush != FINISH {
        return Ok(value64::<D>(u64::from(length)));
    }
    let all = output.get_or_insert_with(|| match raw {
        true => miniz_oxide::deflate::compress_to_vec(pending, *level),
        false => miniz_oxide::deflate::compress_to_vec_zlib(pending, *level),
    });
    let piece = all[*given..(*given + room as usize).min(all.len())].to_vec();
    *given += piece.len();
    let finished = u64::from(*given == all.len());
    put(m, D::bits(a[6]) as u32, to, &piece);
    Ok(value64::<D>(u64::from(length) | (piece.len() as u64) << 31 | finished << 62))
}

fn checksum<D: Values>(m: &mut Machine<D>, a: &[D::Value]) -> NativeResult<D> {
    let at = slot(m, a[0]);
    Ok(value::<D>(match m.world.streams.get(at) {
        Some(Some(ZipStream::Inflate { sum, .. })) => *sum,
        Some(Some(ZipStream::Deflate(_, _, input, ..))) => adler32(1, input),
        _ => 1,
    }))
}

fn reset<D: Values>(m: &mut Machine<D>, a: &[D::Value]) -> NativeResult<D> {
    let at = slot(m, a[0]);
    if let Some(Some(stream)) = m.world.streams.get_mut(at) {
        *stream = match stream {
            ZipStream::Inflate { raw, .. } => inflater(*raw),
            ZipStream::Deflate(level, raw, ..) => ZipStream::Deflate(*level, *raw, Vec::new(), None, 0),
        };
    }
    Ok(Done::Void)
}

fn end<D: Values>(m: &mut Machine<D>, a: &[D::Value]) -> NativeResult<D> {
    let at = slot(m, a[0]);
    if let Some(stream) = m.world.streams.get_mut(at) {
        *stream = None;
    }
    Ok(Done::Void)
}

pub(super) fn rows<D: Values>() -> Vec<NativeRow<D>> {
    vec![
        ("java/util/zip/Inflater.init(Z)J", |m, a| {
            let raw = m.plain(a[0]) != 0;
            add(m, inflater(raw))
        }),
        ("java/util/zip/Inflater.inflateBytesBytes(J[BII[BII)J", |m, a| inflate_bytes(m, a)),
        ("java/util/zip/Inflater.getAdler(J)I", |m, a| checksum(m, a)),
        ("java/util/zip/Inflater.reset(J)V", |m, a| reset(m, a)),
        ("java/util/zip/Inflater.end(J)V", |m, a| end(m, a)),
        ("java/util/zip/Deflater.init(IIZ)J", |m, a| {
            let (level, raw) = (m.plain(a[0]) as i32, m.plain(a[2]) != 0);
            let level = if level < 0 { 6 } else { level.min(9) as u8 };
            add(m, ZipStream::Deflate(level, raw, Vec::new(), None, 0))
        }),
        ("java/util/zip/Deflater.deflateBytesBytes(J[BII[BIIII)J", |m, a| deflate_bytes(m, a)),
        ("java/util/zip/Deflater.getAdler(J)I", |m, a| checksum(m, a)),
        ("java/util/zip/Deflater.reset(J)V", |m, a| reset(m, a)),
        ("java/util/zip/Deflater.end(J)V", |m, a| end(m, a)),
    ]
}
