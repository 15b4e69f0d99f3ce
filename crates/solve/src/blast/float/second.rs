//! A second encoding of sums, products, quotients and fused sums, for miters: exact integers in units of the smallest
//! subnormal number, without exponents, normalisation or jamming.
