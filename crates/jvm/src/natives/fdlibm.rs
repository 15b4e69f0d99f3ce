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

/// `__kernel_sin`: the sine on [-pi/4, pi/4] of `x + y`.
fn kernel_sin(x: f64, y: f64, has_tail: bool) -> f64 {
    const S: [u64; 6] = [
        0xBFC5_5555_5555_5549,
        0x3F81_1111_1110_F8A6,
        0xBF2A_01A0_19C1_61D5,
        0x3EC7_1DE3_57B1_FE7D,
        0xBE5A_E5E6_8A2B_9CEB,
        0x3DE5_D93A_5ACF_D57C,
    ];
    let s = S.map(f64::from_bits);
    if high(x) & 0x7fff_ffff < 0x3e40_0000 && x as i32 == 0 {
        return x;
    }
    let z = x * x;
    let v = z * x;
    let r = s[1] + z * (s[2] + z * (s[3] + z * (s[4] + z * s[5])));
    if has_tail { x - ((z * (0.5 * y - v * r) - y) - v * s[0]) } else { x + v * (s[0] + z * r) }
}

/// `__ieee754_rem_pio2` up to 2^19 pi/2: the quadrant, and what is left in two parts; none beyond.
fn reduced(x: f64) -> Option<(i32, f64, f64)> {
    const INVERSE: u64 = 0x3FE4_5F30_6DC9_C883;
    /// Parts of pi/2, each with what comes after it.
    const PARTS: [(u64, u64); 3] = [
        (0x3FF9_21FB_5440_0000, 0x3DD0_B461_1A62_6331),
        (0x3DD0_B461_1A60_0000, 0x3BA3_198A_2E03_7073),
        (0x3BA3_198A_2E00_0000, 0x397B_839A_2520_49C1),
    ];
    let parts = PARTS.map(|(part, tail)| (f64::from_bits(part), f64::from_bits(tail)));
    let ix = high(x) & 0x7fff_ffff;
    if ix > 0x4139_21fb {
        return None;
    }
    let t = x.abs();
    let (n, y0, y1);
    if ix < 0x4002_d97c {
        let mut z = t - parts[0].0;
        let mut tail = parts[0].1;
        if ix == 0x3ff9_21fb {
            z -= parts[1].0;
            tail = parts[1].1;
        }
        (n, y0) = (1, z - tail);
        y1 = (z - y0) - tail;
    } else {
        n = (t * f64::from_bits(INVERSE) + 0.5) as i32;
        let count = f64::from(n);
        let (mut r, mut w) = (t - count * parts[0].0, count * parts[0].1);
        let mut y = r - w;
        let near = n >= 32 || ix == high(count * std::f64::consts::FRAC_PI_2);
        let lost = |y: f64| (ix >> 20) - (high(y) >> 20 & 0x7ff);
        if near && lost(y) > 16 {
            for (part, bits) in [(parts[1], 49), (parts[2], i32::MAX)] {
                let before = r;
                w = count * part.0;
                r = before - w;
                w = count * part.1 - ((before - r) - w);
                y = r - w;
                if lost(y) <= bits {
                    break;
                }
            }
        }
        y0 = y;
        y1 = (r - y) - w;
    }
    Some(if x < 0.0 { (-n, -y0, -y1) } else { (n, y0, y1) })
}

/// The sine. Beyond 2^19 pi/2 the remainder is that of the C libraries.
pub(super) fn sin(x: f64) -> f64 {
    if high(x) & 0x7fff_ffff <= 0x3fe9_21fb {
        return kernel_sin(x, 0.0, false);
    }
    match reduced(x) {
        None => libm::sin(x),
        Some((n, y0, y1)) => match n & 3 {
            0 => kernel_sin(y0, y1, true),
            1 => kernel_cos(y0, y1),
            2 => -kernel_sin(y0, y1, true),
            _ => -kernel_cos(y0, y1),
        },
    }
}

/// The cosine. Beyond 2^19 pi/2 it is that of the C libraries.
pub(super) fn cos(x: f64) -> f64 {
    if high(x) & 0x7fff_ffff <= 0x3fe9_21fb {
        return kernel_cos(x, 0.0);
    }
    match reduced(x) {
        None => libm::cos(x),
        Some((n, y0, y1)) => match n & 3 {
            0 => kernel_cos(y0, y1),
            1 => -kernel_sin(y0, y1, true),
            2 => -kernel_cos(y0, y1),
            _ => kernel_sin(y0, y1, true),
        },
    }
}

fn with_high(x: f64, word: i32) -> f64 {
    f64::from_bits(u64::from(word as u32) << 32 | x.to_bits() & 0xffff_ffff)
}

const TWO_54: f64 = 18_014_398_509_481_984.0;

/// Scales a subnormal number up; the logarithm itself where the argument has no exponent.
fn normalised(mut x: f64) -> Result<(f64, i32, i32), f64> {
    let mut hx = high(x);
    let mut k = 0;
    if hx < 0x0010_0000 {
        if x == 0.0 {
            return Err(f64::NEG_INFINITY);
        }
        if hx < 0 {
            return Err(f64::NAN);
        }
        k -= 54;
        x *= TWO_54;
        hx = high(x);
    }
    if hx >= 0x7ff0_0000 { Err(x + x) } else { Ok((x, hx, k)) }
}

/// The natural logarithm.
pub(super) fn log(x: f64) -> f64 {
    const L: [u64; 7] = [
        0x3FE5_5555_5555_5593,
        0x3FD9_9999_9997_FA04,
        0x3FD2_4924_9422_9359,
        0x3FCC_71C5_1D8E_78AF,
        0x3FC7_4664_96CB_03DE,
        0x3FC3_9A09_D078_C69F,
        0x3FC2_F112_DF3E_5244,
    ];
    let l = L.map(f64::from_bits);
    let (ln2_hi, ln2_lo) = (f64::from_bits(0x3FE6_2E42_FEE0_0000), f64::from_bits(0x3DEA_39EF_3579_3C76));
    let (x, mut hx, mut k) = match normalised(x) {
        Ok(parts) => parts,
        Err(result) => return result,
    };
    k += (hx >> 20) - 1023;
    hx &= 0x000f_ffff;
    let i = (hx + 0x95f64) & 0x10_0000;
    let x = with_high(x, hx | (i ^ 0x3ff0_0000));
    k += i >> 20;
    let f = x - 1.0;
    let dk = f64::from(k);
    if (0x000f_ffff & (2 + hx)) < 3 {
        if f == 0.0 {
            return if k == 0 { 0.0 } else { dk * ln2_hi + dk * ln2_lo };
        }
        let r = f * f * (0.5 - (1.0 / 3.0) * f);
        return if k == 0 { f - r } else { dk * ln2_hi - ((r - dk * ln2_lo) - f) };
    }
    let s = f / (2.0 + f);
    let z = s * s;
    let w = z * z;
    let t1 = w * (l[1] + w * (l[3] + w * l[5]));
    let t2 = z * (l[0] + w * (l[2] + w * (l[4] + w * l[6])));
    let r = t2 + t1;
    if (hx - 0x6147a) | (0x6b851 - hx) > 0 {
        let half = 0.5 * f * f;
        if k == 0 {
            f - (half - s * (half + r))
        } else {
            dk * ln2_hi - ((half - (s * (half + r) + dk * ln2_lo)) - f)
        }
    } else if k == 0 {
        f - s * (f - r)
    } else {
        dk * ln2_hi - ((s * (f - r) - dk * ln2_lo) - f)
    }
}

/// The logarithm to base 10.
pub(super) fn log10(x: f64) -> f64 {
    let inverse = f64::from_bits(0x3FDB_CB7B_1526_E50E);
    let (two_hi, two_lo) = (f64::from_bits(0x3FD3_4413_509F_6000), f64::from_bits(0x3D59_FEF3_11F1_2B36));
    let (x, hx, mut k) = match normalised(x) {
        Ok(parts) => parts,
        Err(result) => return result,
    };
    k += (hx >> 20) - 1023;
    let i = i32::from(k < 0);
    let x = with_high(x, (hx & 0x000f_ffff) | ((0x3ff - i) << 20));
    let y = f64::from(k + i);
    y * two_lo + inverse * log(x) + y * two_hi
}

/// Whether half of the exponential is still a number where the exponential is not.
fn is_below_overflow(x: f64) -> bool {
    x.abs().to_bits() <= 0x4086_33ce_8fb9_f87d
}

/// The hyperbolic sine.
pub(super) fn sinh(x: f64) -> f64 {
    let ix = high(x) & 0x7fff_ffff;
    if ix >= 0x7ff0_0000 {
        return x + x;
    }
    let half = if high(x) < 0 { -0.5 } else { 0.5 };
    if ix < 0x4036_0000 {
        if ix < 0x3e30_0000 {
            return x;
        }
        let t = libm::expm1(x.abs());
        return if ix < 0x3ff0_0000 {
            half * (2.0 * t - t * t / (t + 1.0))
        } else {
            half * (t + t / (t + 1.0))
        };
    }
    if ix < 0x4086_2e42 {
        return half * libm::exp(x.abs());
    }
    if is_below_overflow(x) {
        let w = libm::exp(0.5 * x.abs());
        return half * w * w;
    }
    x * 1e307
}

/// The hyperbolic cosine.
pub(super) fn cosh(x: f64) -> f64 {
    let ix = high(x) & 0x7fff_ffff;
    if ix >= 0x7ff0_0000 {
        return x * x;
    }
    if ix < 0x3fd6_2e43 {
        let t = libm::expm1(x.abs());
        let w = 1.0 + t;
        return if ix < 0x3c80_0000 { w } else { 1.0 + (t * t) / (w + w) };
    }
    if ix < 0x4036_0000 {
        let t = libm::exp(x.abs());
        return 0.5 * t + 0.5 / t;
    }
    if ix < 0x4086_2e42 {
        return 0.5 * libm::exp(x.abs());
    }
    if is_below_overflow(x) {
        let w = libm::exp(0.5 * x.abs());
        return 0.5 * w * w;
    }
    f64::INFINITY
}

/// The angle of a point.
pub(super) fn atan2(y: f64, x: f64) -> f64 {
    use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};
    let pi_lo = f64::from_bits(0x3CA1_A626_3314_5C07);
    if x.is_nan() || y.is_nan() {
        return x + y;
    }
    if x == 1.0 {
        return libm::atan(y);
    }
    let (left, below) = (x.is_sign_negative(), y.is_sign_negative());
    let signed = |z: f64| if below { -z } else { z };
    if y == 0.0 {
        return if left { signed(PI) } else { y };
    }
    if x == 0.0 {
        return signed(FRAC_PI_2);
    }
    if x.is_infinite() {
        return signed(match (y.is_infinite(), left) {
            (true, false) => FRAC_PI_4,
            (true, true) => 3.0 * FRAC_PI_4,
            (false, false) => 0.0,
            (false, true) => PI,
        });
    }
    if y.is_infinite() {
        return signed(FRAC_PI_2);
    }
    let k = ((high(y) & 0x7fff_ffff) - (high(x) & 0x7fff_ffff)) >> 20;
    let z = if k > 60 {
        FRAC_PI_2 + 0.5 * pi_lo
    } else if left && k < -60 {
        0.0
    } else {
        libm::atan((y / x).abs())
    };
    match (left, below) {
        (false, false) => z,
        (false, true) => -z,
        (true, false) => PI - (z - pi_lo),
        (true, true) => (z - pi_lo) - PI,
    }
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
