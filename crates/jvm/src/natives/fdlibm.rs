//! Functions of fdlibm 5.3 that the C libraries derived from it compute otherwise, in the operations of the original.

/// Bits of the upper half.
fn high(x: f64) -> i32 {
    (x.to_bits() >> 32) as i32
}

fn from_high(word: i32) -> f64 {
    f64::from_bits(u64::from(word as u32) << 32)
}

/// `__kernel_cos`: the cosine on [-pi/4, pi/4] of `x + y`.
fn kernel_cos(x: f64, y: f64) -> f64 {
    const C: [u64; 6] = [
        0x3FA5_5555_5555_554C,
        0xBF56_C16C_16C1_5177,
        0x3EFA_01A0_19CB_1590,
        0xBE92_7E4F_809C_52AD,
        0x3E21_EE9E_BDB4_B1C4,
        0xBDA8_FAE9_BE88_38D4,
    ];
    let c = C.map(f64::from_bits);
    let ix = high(x) & 0x7fff_ffff;
    if ix < 0x3e40_0000 && x as i32 == 0 {
        return 1.0;
    }
    let z = x * x;
    let r = z * (c[0] + z * (c[1] + z * (c[2] + z * (c[3] + z * (c[4] + z * c[5])))));
    if ix < 0x3FD3_3333 {
        return 1.0 - (0.5 * z - (z * r - x * y));
    }
    let qx = if ix > 0x3fe9_0000 { 0.28125 } else { from_high(ix - 0x0020_0000) };
    let hz = 0.5 * z - qx;
    let a = 1.0 - qx;
    a - (hz - (z * r - x * y))
}

/// The cosine. Where the argument is reduced the remainder is that of the C libraries; their sine kernel is the original.
pub(super) fn cos(x: f64) -> f64 {
    let ix = high(x) & 0x7fff_ffff;
    if ix <= 0x3fe9_21fb {
        return kernel_cos(x, 0.0);
    }
    libm::cos(x)
}

/// `tanh` by `expm1`.
pub(super) fn tanh(x: f64) -> f64 {
    let jx = high(x);
    let ix = jx & 0x7fff_ffff;
    if ix >= 0x7ff0_0000 {
        return if jx >= 0 { 1.0 / x + 1.0 } else { 1.0 / x - 1.0 };
    }
    let z = if ix < 0x4036_0000 {
        if ix < 0x3c80_0000 {
            return x * (1.0 + x);
        }
        if ix >= 0x3ff0_0000 {
            let t = libm::expm1(2.0 * x.abs());
            1.0 - 2.0 / (t + 2.0)
        } else {
            let t = libm::expm1(-2.0 * x.abs());
            -t / (t + 2.0)
        }
    } else {
        1.0
    };
    if jx >= 0 { z } else { -z }
}
