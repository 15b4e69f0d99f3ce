//! Mangled names in the words of the source: functions of C++ and Rust, and types that a C++ program throws. A name that is not mangled, or in a way that
//! nobody here knows, stays as it is.

use cpp_demangle::{DemangleOptions, ParseOptions, Symbol};

/// Names come from the program, so that their nesting has a limit.
const DEPTH: u32 = 64;

/// A function's name as its source has it: of Rust without the hash, of C++ without parameters.
pub(super) fn readable(name: &str) -> String {
    let hashed = |rest: &str| rest.len() > 20 && rest[rest.len() - 20..].starts_with("17h");
    let rust = name.starts_with("_R") || name.is_ascii() && name.starts_with("_ZN") && hashed(name);
    match rustc_demangle::try_demangle(name) {
        Ok(known) if rust => format!("{known:#}"),
        _ => cpp(name).unwrap_or_else(|| name.to_string()),
    }
}

/// A type of C++ by the name that its `type_info` has.
pub(crate) fn readable_type(name: &str) -> String {
    // The symbol of a type's name stands for the text "typeinfo name for TYPE".
    let symbol = cpp(&format!("_ZTS{name}"));
    symbol.as_deref().and_then(|text| text.strip_prefix("typeinfo name for ")).unwrap_or(name).to_string()
}

fn cpp(name: &str) -> Option<String> {
    if !name.starts_with("_Z") {
        return None;
    }
    let symbol = Symbol::new_with_options(name, &ParseOptions::default().recursion_limit(DEPTH)).ok()?;
    let options = DemangleOptions::new().no_params().no_return_type().recursion_limit(DEPTH);
    symbol.demangle_with_options(&options).ok()
}

#[cfg(test)]
mod tests {
    use super::{readable, readable_type};

    #[test]
    fn functions() {
        let rows = [
            ("main", "main"),
            ("_ZN4json6parserC2Ev", "json::parser::parser"),
            (
                "_ZNSt3__26vectorIiNS_9allocatorIiEEE11__vallocateEm",
                "std::__2::vector<int, std::__2::allocator<int> >::__vallocate",
            ),
            ("_ZN4core9panicking5panic17h0123456789abcdefE", "core::panicking::panic"),
            ("_Znonsense", "_Znonsense"),
        ];
        for (mangled, name) in rows {
            assert_eq!(readable(mangled), name);
        }
    }

    #[test]
    fn types() {
        let rows = [
            ("i", "int"),
            ("PKc", "char const*"),
            ("St13runtime_error", "std::runtime_error"),
            ("7Problem", "Problem"),
            ("N4json5ErrorE", "json::Error"),
            ("NSt3__112out_of_rangeE", "std::__1::out_of_range"),
            ("PK7Problem", "Problem const*"),
            ("not mangled", "not mangled"),
        ];
        for (mangled, name) in rows {
            assert_eq!(readable_type(mangled), name);
        }
    }

    #[test]
    fn nesting_has_a_limit() {
        let deep = format!("_Z1f{}i", "P".repeat(100_000));
        assert_eq!(readable(&deep), deep);
    }
}
