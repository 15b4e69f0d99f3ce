//! What the programs need of WASI preview 1, for `wasmi`: streams, arguments, the exit. Written against the standard and
//! without a look at `explore::world`, so that a mistake in either shows.

use wasmi::{Caller, Engine, Error, Extern, Linker, Memory, Module, Store, TrapCode};

const SUCCESS: u32 = 0;
const BADF: u32 = 8;
const SPIPE: u32 = 70;

/// How a program ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    /// With an exit code; by its end with zero.
    Exit(u32),
    Trap(TrapCode),
}

/// What can be seen of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Seen {
    pub(crate) end: End,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
}

struct State {
    stdin: Vec<u8>,
    read: usize,
    args: Vec<Vec<u8>>,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
}

type Call<'a> = Caller<'a, State>;

/// Runs a program from its start.
pub(crate) fn run(wasm: &[u8], stdin: &[u8], args: &[&[u8]]) -> Seen {
    let engine = Engine::default();
    let module = Module::new(&engine, wasm).expect("the module is valid");
    let args = std::iter::once(&b"program"[..]).chain(args.iter().copied()).map(<[u8]>::to_vec).collect();
    let state = State { stdin: stdin.to_vec(), read: 0, args, stdout: Vec::new(), stderr: Vec::new() };
    let mut store = Store::new(&engine, state);
    let instance = linker(&engine)
        .and_then(|linker| linker.instantiate_and_start(&mut store, &module))
        .expect("the imports are those of the table");
    let start = instance.get_typed_func::<(), ()>(&store, "_start").expect("it is a program");
    let end = match start.call(&mut store, ()) {
        Ok(()) => End::Exit(0),
        Err(error) => match (error.i32_exit_status(), error.as_trap_code()) {
            (Some(code), _) => End::Exit(code as u32),
            (None, Some(trap)) => End::Trap(trap),
            (None, None) => panic!("{error}"),
        },
    };
    let State { stdout, stderr, .. } = store.into_data();
    Seen { end, stdout, stderr }
}

fn linker(engine: &Engine) -> Result<Linker<State>, Error> {
    const WASI: &str = "wasi_snapshot_preview1";
    let mut linker = Linker::new(engine);
    linker
        .func_wrap(WASI, "args_sizes_get", |mut call: Call<'_>, count: u32, size: u32| {
            let (n, bytes) =
                (call.data().args.len(), call.data().args.iter().map(|arg| arg.len() + 1).sum::<usize>());
            put(&mut call, count, n as u32)?;
            put(&mut call, size, bytes as u32)
        })?
        .func_wrap(WASI, "args_get", args_get)?
        .func_wrap(WASI, "environ_sizes_get", |mut call: Call<'_>, count: u32, size: u32| {
            put(&mut call, count, 0)?;
            put(&mut call, size, 0)
        })?
        .func_wrap(WASI, "environ_get", |_: u32, _: u32| SUCCESS)?
        .func_wrap(WASI, "fd_close", |_: u32| SUCCESS)?
        .func_wrap(WASI, "fd_seek", |_: u32, _: u64, _: u32, _: u32| SPIPE)?
        .func_wrap(WASI, "fd_prestat_get", |_: u32, _: u32| BADF)?
        .func_wrap(WASI, "fd_prestat_dir_name", |_: u32, _: u32, _: u32| BADF)?
        .func_wrap(WASI, "fd_fdstat_get", |mut call: Call<'_>, fd: u32, at: u32| {
            // A character device without the rights to seek and tell, as a terminal is one.
            let mut stat = [0; 24];
            stat[0] = 2;
            stat[8] = !(1 << 2 | 1 << 5);
            if fd > 2 { Ok(BADF) } else { write(&mut call, at, &stat) }
        })?
        .func_wrap(WASI, "fd_read", fd_read)?
        .func_wrap(WASI, "fd_write", fd_write)?
        // It tells our machine what is compared, and does nothing to the program.
        .func_wrap("env", "__soundline_compare", |_: u32, _: u32, _: u32, _: u32| ())?
        .func_wrap("soundline", "__wrap_abort", || {
            Err::<(), _>(Error::from(TrapCode::UnreachableCodeReached))
        })?
        .func_wrap(WASI, "proc_exit", |code: u32| Err::<(), _>(Error::i32_exit(code as i32)))?;
    Ok(linker)
}

fn args_get(mut call: Call<'_>, pointers: u32, text: u32) -> Result<u32, Error> {
    let mut at = text;
    for (i, mut arg) in (0..).zip(call.data().args.clone()) {
        arg.push(0);
        put(&mut call, pointers + 4 * i, at)?;
        write(&mut call, at, &arg)?;
        at += arg.len() as u32;
    }
    Ok(SUCCESS)
}

fn fd_read(mut call: Call<'_>, fd: u32, buffers: u32, count: u32, done: u32) -> Result<u32, Error> {
    if fd != 0 {
        return Ok(BADF);
    }
    let mut total = 0;
    for (address, length) in buffers_at(&call, buffers, count)? {
        let State { stdin, read, .. } = call.data_mut();
        let bytes = stdin[*read..stdin.len().min(*read + length as usize)].to_vec();
        *read += bytes.len();
        total += bytes.len() as u32;
        write(&mut call, address, &bytes)?;
    }
    put(&mut call, done, total)
}

fn fd_write(mut call: Call<'_>, fd: u32, buffers: u32, count: u32, done: u32) -> Result<u32, Error> {
    let mut bytes = Vec::new();
    for (address, length) in buffers_at(&call, buffers, count)? {
        let start = bytes.len();
        bytes.resize(start + length as usize, 0);
        memory(&call)
            .read(&call, address as usize, &mut bytes[start..])
            .map_err(|_| Error::from(TrapCode::MemoryOutOfBounds))?;
    }
    match fd {
        1 => call.data_mut().stdout.extend_from_slice(&bytes),
        2 => call.data_mut().stderr.extend_from_slice(&bytes),
        _ => return Ok(BADF),
    }
    put(&mut call, done, bytes.len() as u32)
}

fn memory(call: &Call<'_>) -> Memory {
    call.get_export("memory").and_then(Extern::into_memory).expect("the program exports its memory")
}

fn write(call: &mut Call<'_>, address: u32, bytes: &[u8]) -> Result<u32, Error> {
    let memory = memory(call);
    memory.write(call, address as usize, bytes).map_err(|_| Error::from(TrapCode::MemoryOutOfBounds))?;
    Ok(SUCCESS)
}

fn put(call: &mut Call<'_>, address: u32, word: u32) -> Result<u32, Error> {
    write(call, address, &word.to_le_bytes())
}

/// The addresses and lengths of a list of buffers.
fn buffers_at(call: &Call<'_>, address: u32, count: u32) -> Result<Vec<(u32, u32)>, Error> {
    let word = |at: u32| {
        let mut bytes = [0; 4];
        let read = memory(call).read(call, at as usize, &mut bytes);
        read.map(|()| u32::from_le_bytes(bytes)).map_err(|_| Error::from(TrapCode::MemoryOutOfBounds))
    };
    (0..count).map(|i| Ok((word(address + 8 * i)?, word(address + 8 * i + 4)?))).collect()
}
