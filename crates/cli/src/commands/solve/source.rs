//! Where commands come from: a file, or standard input as it arrives. Text is cut at the ends of commands, so that each can
//! be answered before the next one is there.

use super::name_of;
use crate::Failure;
use crate::input::read_bytes;
use smt::lexer::CommandSplitter;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

/// The next piece of a source.
pub(super) enum Chunk {
    /// Text up to the end of a command, with whatever stands in front of it.
    Command(Vec<u8>),
    /// What follows the last command.
    Rest(Vec<u8>),
    /// An interrupt came while there was nothing to read.
    Interrupted,
}

/// What the readers of standard input and the interrupt handler tell.
pub(super) enum Event {
    Bytes(std::io::Result<Vec<u8>>),
    Interrupt,
}

/// The interrupt and standard input come through one channel, since a read cannot be interrupted.
pub(super) struct Events {
    sender: Sender<Event>,
    receiver: Receiver<Event>,
}

/// Sets the flag at an interrupt; at the second one the program ends.
pub(super) fn on_interrupt(stop: &Arc<AtomicBool>) -> Result<Events, Failure> {
    let (sender, receiver) = channel();
    let (stop, teller) = (stop.clone(), sender.clone());
    let handler = move || {
        if stop.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        // The receiver is gone only when the program is ending anyway.
        teller.send(Event::Interrupt).unwrap_or(());
    };
    ctrlc::set_handler(handler).map_err(|error| Failure(format!("cannot handle interrupts: {error}")))?;
    Ok(Events { sender, receiver })
}

/// A source of commands.
pub(super) struct Source<'a> {
    name: String,
    buffer: Vec<u8>,
    /// How much of the buffer was handed out.
    taken: usize,
    splitter: CommandSplitter,
    /// Where more comes from; `None` once there is no more.
    more: Option<&'a Events>,
}

/// How much is read at once.
const BLOCK: usize = 1 << 16;

impl<'a> Source<'a> {
    /// Opens a file, or standard input for `-`.
    pub(super) fn open(path: &Path, events: &'a Events) -> Result<Source<'a>, Failure> {
        let is_stdin = path == Path::new("-");
        let buffer = if is_stdin { Vec::new() } else { read_bytes(path)? };
        if is_stdin {
            let sender = events.sender.clone();
            std::thread::spawn(move || read_stdin(&sender));
        }
        Ok(Source {
            name: name_of(path),
            buffer,
            taken: 0,
            splitter: CommandSplitter::default(),
            more: is_stdin.then_some(events),
        })
    }

    /// The next command; waits for it where the source is standard input.
    pub(super) fn next(&mut self) -> Result<Chunk, Failure> {
        loop {
            if let Some(range) = self.splitter.next(&self.buffer) {
                let text = self.buffer[self.taken..range.end].to_vec();
                self.taken = range.end;
                return Ok(Chunk::Command(text));
            }
            let Some(events) = self.more else {
                return Ok(Chunk::Rest(self.buffer.split_off(self.taken)));
            };
            self.splitter.discard(self.taken);
            self.buffer.drain(..self.taken);
            self.taken = 0;
            match events.receiver.recv() {
                Ok(Event::Bytes(Ok(bytes))) if bytes.is_empty() => self.more = None,
                Ok(Event::Bytes(Ok(bytes))) => self.buffer.extend(bytes),
                Ok(Event::Bytes(Err(error))) => {
                    return Err(Failure(format!("cannot read {}: {error}", self.name)));
                }
                Ok(Event::Interrupt) | Err(_) => return Ok(Chunk::Interrupted),
            }
        }
    }
}

/// Sends standard input block by block; an empty block is its end.
fn read_stdin(sender: &Sender<Event>) {
    let mut stdin = std::io::stdin().lock();
    loop {
        let mut block = vec![0; BLOCK];
        let event = match stdin.read(&mut block) {
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            result => result.map(|n| {
                block.truncate(n);
                block
            }),
        };
        let last = !matches!(&event, Ok(bytes) if !bytes.is_empty());
        if sender.send(Event::Bytes(event)).is_err() || last {
            return;
        }
    }
}
