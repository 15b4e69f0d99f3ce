//! `String` and what the JDK marks as intrinsic around it.

use super::NativeRow;
use super::lang::{a0, value};
use crate::domain::Values;

pub(super) fn rows<D: Values>() -> Vec<NativeRow<D>> {
    vec![
        ("java/lang/String.intern()Ljava/lang/String;", |m, a| {
            let string = a0::<D>(a);
            // The text decides which string it is: the run stands for this text only.
            let value = m.heap.u32(string + m.known().string_value);
            for i in 0..m.heap.length(value) {
                let at = value + crate::heap::HEADER + i;
                let byte = m.domain.load(&m.heap, at, crate::kind::Kind::Byte);
                m.plain(byte);
            }
            let text = m.units(string);
            if let Some(&known) = m.interned.get(&text[..]).or_else(|| m.interned_now.get(&text[..])) {
                return Ok(super::lang::value::<D>(known));
            }
            m.interned_now.insert(text.into(), string);
            Ok(crate::machine::Done::Value(a[0]))
        }),
        ("java/lang/StringUTF16.isBigEndian()Z", |_, _| Ok(value::<D>(0))),
    ]
}
