//! Frames: finds the messages in a stream of bytes, even between garbage, and builds outgoing
//! frames.
//!
//! A readable `Content-Length` is trusted; if there is none, everything up to the next one is
//! skipped. That is safe because no JSON text contains a line end after `Content-Length: N`: in a
//! string the line end would be escaped, and outside of a string these words are not JSON.

use std::io::{self, Read};

use memchr::memchr_iter;
use serde::Serialize;

use super::json_writer::JsonWriter;

/// The maximum length of a frame's header in bytes.
pub const HEADER_LIMIT: usize = 8 << 10;
/// The maximum length of a frame's body in bytes: enough for a document of 100 MB with every
/// character escaped.
pub const BODY_LIMIT: usize = 1 << 30;
/// The size of reads, and of the initial allocation for a body.
const CHUNK: usize = 64 << 10;

/// The reason why there is no message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameError {
    /// Bytes that belong to no frame.
    Garbage,
    /// A header without `Content-Length`.
    MissingLength,
    /// A `Content-Length` that is not a decimal number.
    BadLength,
    /// More than [`HEADER_LIMIT`] bytes without the end of a header.
    HeaderTooLong,
    /// A body of more than [`BODY_LIMIT`] bytes.
    BodyTooLong,
}

impl FrameError {
    /// The error message, for the author of the client.
    pub fn message(self) -> &'static str {
        match self {
            Self::Garbage => "bytes outside of any message; expected `Content-Length: N`",
            Self::MissingLength => "a header without `Content-Length`",
            Self::BadLength => "a `Content-Length` that is not a number",
            Self::HeaderTooLong => "a header of more than 8 KiB",
            Self::BodyTooLong => "a message of more than 1 GiB",
        }
    }
}

/// The frames of a stream.
pub struct Frames<R> {
    source: R,
    buffer: Vec<u8>,
    /// The start of the unread part of `buffer`.
    start: usize,
    /// The length of a body whose header has been read.
    announced: Option<usize>,
    /// True if an error has been reported since the last frame: the text up to the next header
    /// belongs to the same error.
    lost: bool,
}

impl<R: Read> Frames<R> {
    /// The frames of `source`.
    pub fn new(source: R) -> Self {
        Self { source, buffer: Vec::new(), start: 0, announced: None, lost: false }
    }

    /// The body of the next frame, or an error in its place; `None` at the end of the stream; an
    /// incomplete frame is ignored.
    ///
    /// # Errors
    ///
    /// The errors of the source.
    pub fn next_frame(&mut self) -> io::Result<Option<Result<Vec<u8>, FrameError>>> {
        if let Some(length) = self.announced.take() {
            return self.body(length);
        }
        loop {
            let header = match self.header()? {
                None => return Ok(None),
                Some(Err(fault)) => Header { length: Some(Err(fault)), garbage: false },
                Some(Ok(block)) => Header::read(&block),
            };
            let found = match header.length {
                None if header.garbage => Err(FrameError::Garbage),
                None => continue,
                Some(found) => found,
            };
            match (found, header.garbage && !self.lost) {
                (Ok(length), false) => return self.body(length),
                (Ok(length), true) => {
                    self.announced = Some(length);
                    return Ok(Some(Err(FrameError::Garbage)));
                }
                (Err(_), _) if self.lost => {}
                (Err(fault), _) => {
                    self.lost = true;
                    return Ok(Some(Err(fault)));
                }
            }
        }
    }

    /// Reports that the last body was not a message. If its length was too small, its rest is not
    /// reported again; if it was too large, `swallowed`, the part of it that belongs to other
    /// messages, is read again.
    pub fn body_was_bad(&mut self, swallowed: &[u8]) {
        self.lost = true;
        self.buffer.splice(..self.start, swallowed.iter().copied());
        self.start = 0;
    }

    /// The bytes up to the next blank line.
    fn header(&mut self) -> io::Result<Option<Result<Vec<u8>, FrameError>>> {
        loop {
            let unread = self.buffer.get(self.start..).unwrap_or_default();
            let window = unread.get(..HEADER_LIMIT).unwrap_or(unread);
            if let Some(end) = blank_line(window) {
                let block = window.get(..end).unwrap_or_default().to_vec();
                self.start += end;
                return Ok(Some(Ok(block)));
            }
            if unread.len() >= HEADER_LIMIT {
                // A real header may begin in the second half.
                self.start += HEADER_LIMIT / 2;
                return Ok(Some(Err(FrameError::HeaderTooLong)));
            }
            if self.fill()? == 0 {
                return Ok(None);
            }
        }
    }

    /// The next `length` bytes. A length that is too large ends at the end of the next message's
    /// header: the caller rejects such a body, and returns the part that does not belong to it.
    fn body(&mut self, length: usize) -> io::Result<Option<Result<Vec<u8>, FrameError>>> {
        self.lost = false;
        let mut body = Vec::with_capacity(length.min(CHUNK));
        let unread = self.buffer.get(self.start..).unwrap_or_default();
        body.extend_from_slice(unread.get(..length).unwrap_or(unread));
        self.start += body.len();
        let mut searched = 0;
        while body.len() < length {
            if ends_header_line(&body, searched) {
                return Ok(Some(Ok(body)));
            }
            searched = body.len();
            if searched >= CHUNK {
                // A length alone does not allocate a gigabyte; after the first chunk it is
                // credible.
                body.reserve_exact(length - searched);
            }
            if read_more(&mut self.source, &mut body, length)? == 0 {
                return Ok(None);
            }
        }
        Ok(Some(Ok(body)))
    }

    fn fill(&mut self) -> io::Result<usize> {
        self.buffer.drain(..self.start);
        self.start = 0;
        read_more(&mut self.source, &mut self.buffer, usize::MAX)
    }
}

/// Reads once, at most [`CHUNK`] bytes and no more than `bytes` lacks of `length`, and appends
/// them.
fn read_more(source: &mut impl Read, bytes: &mut Vec<u8>, length: usize) -> io::Result<usize> {
    let before = bytes.len();
    bytes.resize(length.min(before.saturating_add(CHUNK)), 0);
    let room = bytes.get_mut(before..).unwrap_or_default();
    let read = loop {
        match source.read(room) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => break result,
        }
    };
    bytes.truncate(before + read.as_ref().map_or(0, |read| *read));
    read
}

/// True if a line that ends at or after `from` ends with `Content-Length: N`. No message contains
/// such a line: see above.
fn ends_header_line(bytes: &[u8], from: usize) -> bool {
    const NAME: &[u8] = b"content-length:";
    memchr_iter(b'\n', bytes.get(from..).unwrap_or_default()).any(|at| {
        let line = bytes.get(..from + at).unwrap_or_default();
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let digits = line.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        let name = line.get(..line.len() - digits).unwrap_or_default().trim_ascii_end();
        let start = name.len().saturating_sub(NAME.len());
        digits > 0 && name.get(start..).is_some_and(|name| name.eq_ignore_ascii_case(NAME))
    })
}

/// The contents of a block of header lines.
struct Header {
    length: Option<Result<usize, FrameError>>,
    garbage: bool,
}

impl Header {
    /// Header names are case-insensitive and unknown headers are ignored, as in HTTP.
    fn read(block: &[u8]) -> Self {
        const NAME: &[u8] = b"content-length:";
        let mut header = Self { length: None, garbage: false };
        let mut others = false;
        for line in
            block.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end).filter(|line| !line.is_empty())
        {
            match line.windows(NAME.len()).position(|part| part.eq_ignore_ascii_case(NAME)) {
                Some(at) => {
                    header.garbage |= at > 0 || header.length.is_some();
                    header.length = Some(length(line.get(at + NAME.len()..).unwrap_or_default()));
                }
                None if is_header_line(line) => others = true,
                None => header.garbage = true,
            }
        }
        if header.length.is_none() && others && !header.garbage {
            header.length = Some(Err(FrameError::MissingLength));
        }
        header
    }
}

fn length(value: &[u8]) -> Result<usize, FrameError> {
    let value = value.trim_ascii();
    if value.is_empty() || !value.iter().all(u8::is_ascii_digit) {
        return Err(FrameError::BadLength);
    }
    // Digits that do not fit a `usize` are too many.
    match std::str::from_utf8(value).map(str::parse) {
        Ok(Ok(length)) if length <= BODY_LIMIT => Ok(length),
        _ => Err(FrameError::BodyTooLong),
    }
}

fn is_header_line(line: &[u8]) -> bool {
    let name = line.split(|byte| *byte == b':').next().unwrap_or_default();
    name.len() < line.len()
        && !name.is_empty()
        && name.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-_.!#$%&'*+^`|~".contains(byte))
}

/// The offset after the first blank line; lines end with `\r\n`, or `\n` alone.
fn blank_line(bytes: &[u8]) -> Option<usize> {
    memchr_iter(b'\n', bytes).find_map(|at| match bytes.get(at + 1..)? {
        [b'\n', ..] => Some(at + 2),
        [b'\r', b'\n', ..] => Some(at + 3),
        _ => None,
    })
}

/// One message with its header, ready to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    bytes: Vec<u8>,
    /// The start of the header: it is written last and ends at the start of the body.
    start: usize,
}

/// Space for `Content-Length: 18446744073709551615\r\n\r\n`.
const HEADER_ROOM: usize = 40;

impl Frame {
    /// The frame of `message`, serialized directly into it.
    ///
    /// # Errors
    ///
    /// The errors of the message's own `Serialize`.
    pub fn of(message: &impl Serialize) -> serde_json::Result<Self> {
        Self::written(|json| json.value("", message))
    }

    /// The frame of the message that `write` writes.
    ///
    /// # Errors
    ///
    /// The errors of `write`.
    pub fn written(
        write: impl FnOnce(&mut JsonWriter<'_>) -> serde_json::Result<()>,
    ) -> serde_json::Result<Self> {
        let mut bytes = vec![0; HEADER_ROOM];
        write(&mut JsonWriter(&mut bytes))?;
        let header = format!("Content-Length: {}\r\n\r\n", bytes.len() - HEADER_ROOM);
        let start = HEADER_ROOM - header.len();
        if let Some(room) = bytes.get_mut(start..HEADER_ROOM) {
            room.copy_from_slice(header.as_bytes());
        }
        Ok(Self { bytes, start })
    }

    /// Its body.
    pub fn body(&self) -> &[u8] {
        self.bytes.get(HEADER_ROOM..).unwrap_or_default()
    }

    /// Its bytes.
    pub fn bytes(&self) -> &[u8] {
        self.bytes.get(self.start..).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the frames and errors of `input`, read in pieces of every size.
    fn check(input: &str, expected: &[Result<&str, FrameError>]) {
        for piece in 1..=input.len().max(1) {
            let mut frames = Frames::new(ChunkedReader { rest: input.as_bytes(), piece });
            let mut found = Vec::new();
            while let Some(frame) = frames.next_frame().expect("a slice does not fail") {
                found.push(frame.map(|body| String::from_utf8(body).expect("the inputs are UTF-8")));
            }
            let found: Vec<_> = found.iter().map(|frame| frame.as_deref().map_err(|fault| *fault)).collect();
            assert_eq!(found, expected, "{input:?} in pieces of {piece}");
        }
    }

    struct ChunkedReader<'a> {
        rest: &'a [u8],
        piece: usize,
    }

    impl Read for ChunkedReader<'_> {
        fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
            let read = self.piece.min(room.len());
            (&mut self.rest).take(read as u64).read(room)
        }
    }

    #[test]
    fn frames_are_found_whatever_is_between_them() {
        check("", &[]);
        check("Content-Length: 2\r\n\r\n{}Content-Length: 3\r\n\r\nabc", &[Ok("{}"), Ok("abc")]);
        check("content-length:2\r\n\r\n{}", &[Ok("{}")]);
        check("Content-Length: 2\n\n{}", &[Ok("{}")]);
        check("\r\nContent-Length: 2\r\n\r\n{}\r\n\r\n", &[Ok("{}")]);
        check("Content-Type: x; charset=utf-8\r\nContent-Length: 2\r\n\r\n{}", &[Ok("{}")]);
        check("X: 1\r\n\r\n{}Content-Length: 2\r\n\r\n[]", &[Err(FrameError::MissingLength), Ok("[]")]);
        check(
            "Content-Length: x\r\n\r\n{}Content-Length: 2\r\n\r\n[]",
            &[Err(FrameError::BadLength), Ok("[]")],
        );
        check(
            "Content-Length: -2\r\n\r\n{}Content-Length: 2\r\n\r\n[]",
            &[Err(FrameError::BadLength), Ok("[]")],
        );
        let much = "Content-Length: 99999999999999999999999\r\n\r\n{}Content-Length: 2\r\n\r\n[]";
        check(much, &[Err(FrameError::BodyTooLong), Ok("[]")]);
        check("oopsContent-Length: 2\r\n\r\n{}", &[Err(FrameError::Garbage), Ok("{}")]);
        check("oops\r\n\r\nContent-Length: 2\r\n\r\n{}", &[Err(FrameError::Garbage), Ok("{}")]);
        check("o\n\no\n\nContent-Length: 2\r\n\r\n{}", &[Err(FrameError::Garbage), Ok("{}")]);
        check("Content-Length: 5\r\n\r\n{}", &[]);
    }

    #[test]
    fn a_body_that_is_never_complete_ends_at_the_next_header() {
        let mut frames =
            Frames::new(Stalled("Content-Length: 900\r\n\r\n{}Content-Length: 2\r\n\r\n[]".as_bytes()));
        let body = frames.next_frame().expect("the header is found before the source is exhausted");
        let Some(Ok(body)) = body else { panic!("{body:?}") };
        assert!(body.starts_with(b"{}Content-Length: 2\r\n"), "{body:?}");
        frames.body_was_bad(body.get(2..).unwrap_or_default());
        let next = frames.next_frame().expect("the frame behind it is complete");
        assert_eq!(next, Some(Ok(b"[]".to_vec())));
    }

    #[test]
    fn a_header_in_a_text_ends_no_body() {
        let body = r#"{"text": "Content-Length: 2\r\n\r\n{}", "more": 1}"#;
        let input = format!("Content-Length: {}\r\n\r\n{body}", body.len());
        check(&input, &[Ok(body)]);
        let body = "{\n\"Content-Length: 2\": 1\n}\n";
        check(&format!("Content-Length: {}\r\n\r\n{body}", body.len()), &[Ok(body)]);
    }

    /// A source that fails instead of blocking like a pipe.
    struct Stalled<'a>(&'a [u8]);

    impl Read for Stalled<'_> {
        fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
            match self.0.read(room)? {
                0 => Err(io::ErrorKind::WouldBlock.into()),
                read => Ok(read),
            }
        }
    }

    #[test]
    fn a_long_header_is_one_fault_and_the_frame_behind_it_is_found() {
        let input = format!("X: {}\r\nContent-Length: 2\r\n\r\n{{}}", "x".repeat(5 * HEADER_LIMIT));
        let mut frames = Frames::new(input.as_bytes());
        assert_eq!(frames.next_frame().ok(), Some(Some(Err(FrameError::HeaderTooLong))));
        assert_eq!(frames.next_frame().ok(), Some(Some(Ok(b"{}".to_vec()))));
        assert_eq!(frames.next_frame().ok(), Some(None));
    }

    #[test]
    fn a_frame_holds_its_length() {
        let frame = Frame::of(&"ä").expect("strings serialize");
        assert_eq!(frame.bytes(), "Content-Length: 4\r\n\r\n\"ä\"".as_bytes());
    }
}
