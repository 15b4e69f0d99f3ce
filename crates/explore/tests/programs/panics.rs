//! Explored by the tests: a program in Rust that panics in two ways.
use std::io::Read;

fn picked(values: &[u8], at: usize) -> u8 {
    values[at]
}

fn main() {
    let mut input = [0u8; 2];
    std::io::stdin().read_exact(&mut input).unwrap();
    match input[0] {
        b'a' if input[1] < 4 => println!("{}", picked(&[1, 2, 3], usize::from(input[1]))),
        b'b' => println!("{}", input[1] + 250),
        _ => {}
    }
}
