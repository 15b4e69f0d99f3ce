//! From TOML to values that the table of keys allows, with the place of each. Owns kinds, spelling and repetition; what the
//! values mean together is decided by [`super::Campaign::read`].

use super::Mistake;
use super::keys::{Key, Kind, SECTIONS, Section, section};
use smt::Span;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The value of a key.
#[derive(Clone, PartialEq, Debug)]
enum Value {
    Text(String),
    Texts(Vec<String>),
    Numbers(Vec<u64>),
    Number(u64),
    Duration(Duration),
    Share(f64),
    Flag(bool),
}

/// The values of one section.
#[derive(Clone, Default, Debug)]
pub(super) struct Values {
    values: BTreeMap<&'static str, (Value, Span)>,
    /// Where the section starts.
    pub(super) header: Span,
}

macro_rules! accessor {
    ($name:ident, $variant:ident, $type:ty) => {
        pub(super) fn $name(&self, key: &str) -> Option<$type> {
            match self.values.get(key) {
                Some((Value::$variant(value), _)) => Some(value.clone()),
                _ => None,
            }
        }
    };
}

impl Values {
    accessor!(text, Text, String);
    accessor!(number, Number, u64);
    accessor!(duration, Duration, Duration);
    accessor!(share, Share, f64);
    accessor!(flag, Flag, bool);

    pub(super) fn texts(&self, key: &str) -> Vec<String> {
        match self.values.get(key) {
            Some((Value::Texts(texts), _)) => texts.clone(),
            _ => Vec::new(),
        }
    }

    pub(super) fn numbers(&self, key: &str) -> Vec<u64> {
        match self.values.get(key) {
            Some((Value::Numbers(numbers), _)) => numbers.clone(),
            _ => Vec::new(),
        }
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.values.contains_key(key)
    }

    /// Where a key's value stands; the section's place if it has none.
    pub(super) fn span(&self, key: &str) -> Span {
        self.values.get(key).map_or(self.header, |(_, span)| *span)
    }
}

/// A file as it is read: sections with their values, and what is wrong so far.
#[derive(Debug)]
pub(super) struct Reading {
    sections: BTreeMap<&'static str, Vec<Values>>,
    pub(super) mistakes: Vec<Mistake>,
    /// Files and folders that the file names, and where.
    pub(super) paths: Vec<(PathBuf, Span)>,
}

impl Reading {
    pub(super) fn new(source: &str) -> Reading {
        let mut reading = Reading { sections: BTreeMap::new(), mistakes: Vec::new(), paths: Vec::new() };
        let (table, errors) = DeTable::parse_recoverable(source);
        for error in errors {
            let span = error.span().unwrap_or(0..0);
            reading.wrong(Span::new(span.start, span.end), error.message());
        }
        // After an error of the syntax, what is missing may be what was not read.
        let whole = reading.mistakes.is_empty();
        for (name, value) in table.get_ref().iter() {
            reading.section(name, value);
        }
        if whole {
            for (name, place) in [("campaign", "a [campaign] section with a name is needed")] {
                if !reading.sections.contains_key(name) {
                    reading.wrong(Span::new(0, 0), place);
                }
            }
        }
        reading
    }

    pub(super) fn wrong(&mut self, span: Span, message: impl Into<String>) {
        self.mistakes.push(Mistake { span, message: message.into() });
    }

    /// The values of a section that stands once; none if it does not stand at all.
    pub(super) fn one(&self, name: &str) -> Values {
        self.all(name).into_iter().next().unwrap_or_default()
    }

    pub(super) fn all(&self, name: &str) -> Vec<Values> {
        self.sections.get(name).cloned().unwrap_or_default()
    }

    fn section(&mut self, name: &Spanned<std::borrow::Cow<'_, str>>, value: &Spanned<DeValue<'_>>) {
        let place = span(name.span());
        let Some(section) = section(name.get_ref()) else {
            let names = SECTIONS.iter().map(|section| section.name);
            return self.wrong(
                place,
                format!("unknown section `{}`{}", name.get_ref(), meant(name.get_ref(), names)),
            );
        };
        let written =
            if section.many { format!("[[{}]]", section.name) } else { format!("[{}]", section.name) };
        let tables: Vec<(&DeTable<'_>, Span)> = match (value.get_ref(), section.many) {
            (DeValue::Table(table), false) => vec![(table, place)],
            (DeValue::Array(array), true) if array.iter().all(|value| value.get_ref().is_table()) => array
                .iter()
                .filter_map(|value| Some((value.get_ref().as_table()?, span(value.span()))))
                .collect(),
            _ => return self.wrong(place, format!("this section is written {written}")),
        };
        for (table, header) in tables {
            let values = self.values(section, table, header);
            self.sections.entry(section.name).or_default().push(values);
        }
    }

    fn values(&mut self, section: &'static Section, table: &DeTable<'_>, header: Span) -> Values {
        let mut values = Values { values: BTreeMap::new(), header };
        for (name, value) in table.iter() {
            let Some(key) = section.keys.iter().find(|key| key.name == name.get_ref()) else {
                let names = section.keys.iter().map(|key| key.name);
                let hint = meant(name.get_ref(), names);
                self.wrong(
                    span(name.span()),
                    format!("unknown key `{}` in [{}]{hint}", name.get_ref(), section.name),
                );
                continue;
            };
            let place = span(value.span());
            match read(key.kind, value.get_ref()) {
                Ok(value) => {
                    values.values.insert(key.name, (value, place));
                }
                Err(why) => self.wrong(place, format!("`{}`: {why}", key.name)),
            }
        }
        let missing: Vec<&Key> = section
            .keys
            .iter()
            .filter(|key| key.required && !table.iter().any(|(name, _)| name.get_ref() == key.name))
            .collect();
        for key in missing {
            self.wrong(header, format!("[{}] needs `{}`: {}", section.name, key.name, key.kind.words()));
        }
        values
    }
}

fn span(range: std::ops::Range<usize>) -> Span {
    Span::new(range.start, range.end)
}

fn read(kind: Kind, value: &DeValue<'_>) -> Result<Value, String> {
    let expected = || format!("expected {}, found {}", kind.words(), value.type_str());
    let list = || -> Result<Vec<&DeValue<'_>>, String> {
        Ok(value.as_array().ok_or_else(expected)?.iter().map(Spanned::get_ref).collect())
    };
    let word = |value: &DeValue<'_>, words: &[&'static str]| -> Result<String, String> {
        let text = value.as_str().ok_or_else(expected)?;
        if words.contains(&text) {
            Ok(text.into())
        } else {
            Err(format!(
                "`{text}` is not known; expected {}{}",
                kind.words(),
                meant(text, words.iter().copied())
            ))
        }
    };
    Ok(match kind {
        Kind::Text => Value::Text(value.as_str().ok_or_else(expected)?.into()),
        Kind::Texts => Value::Texts(
            list()?
                .into_iter()
                .map(|v| v.as_str().map(str::to_string).ok_or_else(expected))
                .collect::<Result<_, _>>()?,
        ),
        Kind::Number => Value::Number(whole(value).ok_or_else(expected)?),
        Kind::Numbers => Value::Numbers(
            list()?.into_iter().map(|v| whole(v).ok_or_else(expected)).collect::<Result<_, _>>()?,
        ),
        Kind::Duration => Value::Duration(duration(value).ok_or_else(expected)?),
        Kind::Share => Value::Share(
            decimal(value).filter(|share| *share > 0.0 && share.is_finite()).ok_or_else(expected)?,
        ),
        Kind::Flag => Value::Flag(value.as_bool().ok_or_else(expected)?),
        Kind::Choice(words) => Value::Text(word(value, words)?),
        Kind::Choices(words) => {
            Value::Texts(list()?.into_iter().map(|v| word(v, words)).collect::<Result<_, _>>()?)
        }
    })
}

fn whole(value: &DeValue<'_>) -> Option<u64> {
    let integer = value.as_integer()?;
    u64::from_str_radix(integer.as_str(), integer.radix()).ok()
}

fn decimal(value: &DeValue<'_>) -> Option<f64> {
    match value {
        DeValue::Float(float) => float.as_str().parse().ok(),
        _ => whole(value).map(|number| number as f64),
    }
}

/// Seconds as a number, or a number with a unit.
fn duration(value: &DeValue<'_>) -> Option<Duration> {
    let seconds = match value.as_str() {
        None => decimal(value)?,
        Some(text) => {
            let text = text.trim();
            let (number, factor) = [("s", 1.0), ("m", 60.0), ("h", 3600.0), ("d", 86400.0)]
                .iter()
                .find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, *factor)))?;
            number.trim().parse::<f64>().ok()? * factor
        }
    };
    Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero())
}

/// "; did you mean ...?", if a word is near.
fn meant<'a>(word: &str, words: impl Iterator<Item = &'a str>) -> String {
    let near = words.map(|known| (distance(word, known), known)).min();
    match near {
        Some((far, known)) if far <= 2 && far < known.chars().count() => format!("; did you mean `{known}`?"),
        _ => String::new(),
    }
}

/// How many letters must be put in, taken out or changed.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.chars().take(64).enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, b) in other.iter().enumerate() {
            let above = row[j + 1];
            row[j + 1] = if a == *b { corner } else { 1 + corner.min(above).min(row[j]) };
            corner = above;
        }
    }
    row[other.len()]
}
