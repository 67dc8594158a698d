//! The functions of `chatls.wasm`: the language server for programs in JavaScript.
//!
//! It imports nothing. A message is a buffer of [`allocate`], which [`receive`] takes over.

#![expect(unsafe_code, reason = "the interface of WebAssembly are numbers")]

use std::cell::RefCell;
use std::sync::atomic::{AtomicU8, Ordering};

use crate::lsp::session::Session;

#[derive(Default)]
struct Instance {
    session: Option<Session>,
    /// The length of the last output, in 4 bytes, and the output.
    output: Vec<u8>,
}

thread_local! {
    static INSTANCE: RefCell<Instance> = RefCell::default();
    static FAILURE: RefCell<Vec<u8>> = RefCell::default();
}

/// A buffer of `length` bytes, for a message.
#[unsafe(no_mangle)]
pub extern "C" fn allocate(length: usize) -> *mut u8 {
    Box::into_raw(vec![0_u8; length].into_boxed_slice()).cast()
}

/// Handles the JSON-RPC message in a buffer of [`allocate`], in UTF-8. Returns the address of a
/// length in bytes (4 bytes, the lowest first) and a JSON array of that length: the messages for
/// the client. It is valid until the next call.
///
/// # Safety
///
/// `message` is the result of `allocate(length)`, and not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn receive(message: *mut u8, length: usize) -> *const u8 {
    // SAFETY: the caller's.
    let message = unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(message, length)) };
    INSTANCE.with_borrow_mut(|instance| {
        let session = instance.session.get_or_insert_with(|| {
            std::panic::set_hook(Box::new(|panic| FAILURE.set(with_length(panic.to_string().as_bytes()))));
            Session::default()
        });
        instance.output = with_length(&session.receive(&message));
        instance.output.as_ptr()
    })
}

/// After a trap, the address of the reason: a length in bytes, as of [`receive`], and text.
#[unsafe(no_mangle)]
pub extern "C" fn failure() -> *const u8 {
    FAILURE.with_borrow_mut(|failure| {
        if failure.is_empty() {
            *failure = with_length(b"");
        }
        failure.as_ptr()
    })
}

/// Fills `length` bytes for the seeds of hash tables, so that they differ. There are no secrets
/// here, and a transcript with crafted hash collisions only slows down its own reader.
#[unsafe(no_mangle)]
unsafe extern "Rust" fn __getrandom_v03_custom(
    bytes: *mut u8,
    length: usize,
) -> Result<(), getrandom::Error> {
    static NEXT: AtomicU8 = AtomicU8::new(1);
    // SAFETY: the caller's.
    unsafe { std::ptr::write_bytes(bytes, NEXT.fetch_add(1, Ordering::Relaxed), length) };
    Ok(())
}

fn with_length(output: &[u8]) -> Vec<u8> {
    // The memory of a program has 32 bits.
    [&(output.len() as u32).to_le_bytes(), output].concat()
}
