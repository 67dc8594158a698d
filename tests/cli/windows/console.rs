//! In a console: what is shown there, what is typed, and Ctrl+C.
//!
//! A process has one console at most. So each test starts this test program again, without a window
//! but with a console of its own, and that starts `chatls` at it.

#![expect(unsafe_code, reason = "the standard library has no functions for consoles")]

use std::fs::{self, File};
use std::os::windows::io::AsRawHandle;
use std::os::windows::process::CommandExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use windows_sys::Win32::System::Console::{
    CONSOLE_SCREEN_BUFFER_INFO, COORD, CTRL_C_EVENT, GenerateConsoleCtrlEvent, GetConsoleScreenBufferInfo,
    INPUT_RECORD, INPUT_RECORD_0, KEY_EVENT, KEY_EVENT_RECORD, KEY_EVENT_RECORD_0,
    ReadConsoleOutputCharacterW, SetConsoleCtrlHandler, WriteConsoleInputW,
};

use super::super::run::Folder;

const CREATE_NO_WINDOW: u32 = 0x0800_0000;
/// The status of processes that Ctrl+C ends.
const INTERRUPTED: u32 = 0xC000_013A;

/// Where the started test finds what to do, and leaves its result.
const TASK: &str = "task.json";
const RESULT: &str = "result.json";

/// The screen when the program has ended, and its status.
#[derive(Debug)]
struct Shown {
    screen: String,
    status: u32,
}

/// Starts the program with the `arguments` of `task` in a console of its own, where `typed` has
/// been typed before. When `awaited` is on its screen, or the name of a file, types `then`, or
/// presses Ctrl+C.
fn at_console(folder: &Folder, task: &Value) -> Shown {
    fs::write(folder.path.join(TASK), task.to_string()).unwrap();
    let mut helper = Command::new(std::env::current_exe().unwrap());
    helper.args(["--exact", "cli::windows::console::starts_at_console", "--ignored"]);
    helper.current_dir(&folder.path).creation_flags(CREATE_NO_WINDOW);
    #[cfg(feature = "run")]
    super::super::run_calls::at_home(&mut helper, folder);
    let output = helper.stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    let result = fs::read(folder.path.join(RESULT)).expect("a result");
    let result: Value = serde_json::from_slice(&result).unwrap();
    let status = i32::try_from(result["status"].as_i64().unwrap()).unwrap().cast_unsigned();
    Shown { screen: result["screen"].as_str().unwrap().to_owned(), status }
}

#[test]
#[ignore = "the other tests start it, in a console"]
fn starts_at_console() {
    let Ok(task) = fs::read(TASK) else { return };
    let task: Value = serde_json::from_slice(&task).unwrap();
    let open = |name| File::options().read(true).write(true).open(name).unwrap();
    let (keys, screen) = (open("CONIN$"), open("CONOUT$"));
    press(&keys, task["typed"].as_str().unwrap_or_default());
    // Ctrl+C may be ignored by the program that started the tests, which is inherited.
    ignore_ctrl_c(false);
    let mut command = Command::new(std::path::absolute(env!("CARGO_BIN_EXE_chatls")).unwrap());
    command.args(task["arguments"].as_array().unwrap().iter().map(|it| it.as_str().unwrap()));
    command
        .stdin(keys.try_clone().unwrap())
        .stdout(screen.try_clone().unwrap())
        .stderr(screen.try_clone().unwrap());
    let mut child = command.spawn().unwrap();
    if let Some(awaited) = task["awaited"].as_str() {
        let end = Instant::now() + Duration::from_secs(60);
        while !(fs::exists(awaited).unwrap_or_default() || text_of(&screen).contains(awaited)) {
            assert!(Instant::now() < end, "{}", text_of(&screen));
            std::thread::sleep(Duration::from_millis(50));
        }
        match task["then"].as_str() {
            Some(text) => press(&keys, text),
            None => press_ctrl_c(),
        }
    }
    let status = child.wait().unwrap().code();
    fs::write(RESULT, json!({"screen": text_of(&screen), "status": status}).to_string()).unwrap();
}

fn ignore_ctrl_c(is_ignored: bool) {
    // SAFETY: sets a flag of this process.
    assert_ne!(unsafe { SetConsoleCtrlHandler(None, is_ignored.into()) }, 0);
}

fn press_ctrl_c() {
    ignore_ctrl_c(true);
    // SAFETY: only sends.
    assert_ne!(unsafe { GenerateConsoleCtrlEvent(CTRL_C_EVENT, 0) }, 0);
}

/// Types `text`.
fn press(keys: &File, text: &str) {
    for unit in text.encode_utf16() {
        let key = KEY_EVENT_RECORD {
            bKeyDown: 1,
            wRepeatCount: 1,
            // That of Enter is its character, and others need none.
            wVirtualKeyCode: if unit == 0x0D { 0x0D } else { 0 },
            uChar: KEY_EVENT_RECORD_0 { UnicodeChar: unit },
            ..KEY_EVENT_RECORD::default()
        };
        let event = INPUT_RECORD_0 { KeyEvent: key };
        let record = INPUT_RECORD { EventType: KEY_EVENT.try_into().unwrap(), Event: event };
        let mut written = 0;
        // SAFETY: the handle is open, and `record` is the one that is written.
        let done =
            unsafe { WriteConsoleInputW(keys.as_raw_handle(), &raw const record, 1, &raw mut written) };
        assert!(done != 0 && written == 1);
    }
}

/// The lines of `screen` down to the cursor, without escape sequences where the console knows none.
fn text_of(screen: &File) -> String {
    let mut info = CONSOLE_SCREEN_BUFFER_INFO::default();
    // SAFETY: the handle is open, and `info` outlives the call.
    assert_ne!(unsafe { GetConsoleScreenBufferInfo(screen.as_raw_handle(), &raw mut info) }, 0);
    let row = |y| {
        let mut cells = vec![0; usize::try_from(info.dwSize.X).unwrap()];
        let (count, mut read) = (cells.len().try_into().unwrap(), 0);
        // SAFETY: `cells` has as many places as are asked for.
        let done = unsafe {
            let start = COORD { X: 0, Y: y };
            ReadConsoleOutputCharacterW(
                screen.as_raw_handle(),
                cells.as_mut_ptr(),
                count,
                start,
                &raw mut read,
            )
        };
        assert_ne!(done, 0);
        let text = String::from_utf16_lossy(&cells);
        anstream::adapter::strip_str(text.trim_end()).to_string()
    };
    (0..=info.dwCursorPosition.Y).map(row).collect::<Vec<_>>().join("\n")
}

/// Beyond the code page of the console (437 or 850), and as UTF-8 in a file whatever the code page.
#[test]
fn every_character_is_shown_and_written() {
    let name = "naïve Жук.md";
    let call = "```tool\n{\"toolName\": \"жук\", \"state\": \"dun\"}\n```\n";
    let folder = Folder::new("windows-characters", &[(name, call.as_bytes())]);
    let shown = at_console(&folder, &json!({"arguments": ["check", name]}));
    assert_eq!(shown.status, 1, "{shown:?}");
    for part in [name, "\"жук\"", "bad-state"] {
        assert!(shown.screen.contains(part), "{part}: {shown:?}");
    }
    let written = folder.run(&["check", name]);
    assert_eq!(written.status, 1);
    assert!(written.stdout.contains(name) && written.stdout.contains("\"жук\""), "{}", written.stdout);
    let missing = at_console(&folder, &json!({"arguments": ["check", "Ж ü.md"]}));
    assert!(missing.screen.contains("Ж ü.md"), "{missing:?}");
}

#[test]
fn ctrl_c_ends_a_watch() {
    let folder = Folder::new("windows-watch", &[("a.md", b"")]);
    let task = json!({"arguments": ["check", "--watch", "a.md"], "awaited": "press Ctrl+C"});
    let shown = at_console(&folder, &task);
    assert_eq!(shown.status, INTERRUPTED, "{shown:?}");
}

#[cfg(feature = "run")]
#[test]
fn ctrl_c_ends_what_a_run_has_started() {
    let folder = super::folder_with_command("windows-interrupted", "@");
    super::super::run_calls::agree(&folder, "echo.cmd");
    let task = json!({"arguments": ["run", "--yes", "a.chat.md"], "awaited": "held.txt"});
    let shown = at_console(&folder, &task);
    assert_eq!(shown.status, INTERRUPTED, "{shown:?}");
    super::assert_ended(&folder);
}

#[cfg(feature = "run")]
#[test]
fn a_question_is_not_answered_by_what_was_typed_before() {
    let folder = super::folder_with_command("windows-question", "@");
    let task = json!({"arguments": ["run", "a.chat.md"], "typed": "y\r", "awaited": "[y/N]", "then": "n\r"});
    let shown = at_console(&folder, &task);
    assert!(shown.screen.contains("was not started"), "{shown:?}");
}
