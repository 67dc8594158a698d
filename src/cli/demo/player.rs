//! Plays a script in an editor and shows each frame: in place on a terminal, else one after the
//! other.

use std::io::{self, Write};
use std::time::Duration;

use super::DemoStop;
use super::editor::{DiagnosticMark, Editor, EditorFold};
use super::frame::{DemoFrame, wrap};
use super::script::{DemoExpectation, DemoScene, SceneAction, tool_folds};

/// The default frame size; it fits a terminal of 80 × 24, with one line left for the cursor.
const SIZE: FrameSize = FrameSize { width: 80, height: 23 };
/// Minimum terminal size for drawing in place; on smaller terminals, frames are printed one after
/// the other.
const SMALLEST: FrameSize = FrameSize { width: 40, height: 16 };
/// Minimum width of a printed frame; a narrower terminal may wrap it.
const NARROWEST: usize = 20;
const KEYSTROKE: Duration = Duration::from_millis(70);
const READING: Duration = Duration::from_millis(2400);
const CLOSING: [&str; 2] =
    ["Everything came from `chatls serve`, over LSP.", "Without an editor: `chatls check FILE`."];

/// A size in columns and lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FrameSize {
    pub width: usize,
    pub height: usize,
}

/// The settings and state of playback.
pub(super) struct Player {
    out: Box<dyn Write>,
    /// The factor of pauses when frames are drawn in place; `None` if they are printed one after
    /// the other.
    animation: Option<f64>,
    size: FrameSize,
    /// The last drawn frame.
    drawn: Vec<String>,
}

/// The state that is shown besides the document.
struct DemoStage<'a> {
    name: &'a str,
    caption: &'a str,
    number: usize,
    count: usize,
    cursor: usize,
    folded: Vec<EditorFold>,
}

impl Player {
    /// Creates a player that draws in place on a terminal of this size, with all pauses multiplied
    /// by `delay`. If `terminal` is `None` or too small, frames are printed one after the other
    /// without pauses.
    pub fn on(terminal: Option<FrameSize>, delay: f64) -> Self {
        let (animates, size) = frame_on(terminal);
        Self {
            out: Box::new(anstream::stdout()),
            animation: animates.then_some(delay),
            size,
            drawn: Vec::new(),
        }
    }

    /// Plays `scenes` in `editor`, on a document with the display name `name`, and ends the
    /// session.
    pub fn play(&mut self, mut editor: Editor, scenes: &[DemoScene], name: &str) -> Result<(), DemoStop> {
        let first = editor.marks.clone();
        let count = scenes.len();
        let mut stage = DemoStage { name, caption: "", number: 0, count, cursor: 0, folded: Vec::new() };
        for (index, scene) in scenes.iter().enumerate() {
            stage.number = index + 1;
            stage.caption = &scene.caption;
            self.act(&mut editor, &mut stage, &scene.action)?;
            self.show(&editor, &stage)?;
            check(&editor, scene, &first)?;
            self.wait(READING);
        }
        editor.close()?;
        if self.animation.is_some() {
            writeln!(self.out)?;
        }
        for line in CLOSING.iter().flat_map(|sentence| wrap(sentence, self.size.width)) {
            writeln!(self.out, "{line}")?;
        }
        self.out.flush()?;
        Ok(())
    }

    fn act(
        &mut self,
        editor: &mut Editor,
        stage: &mut DemoStage<'_>,
        action: &SceneAction,
    ) -> Result<(), DemoStop> {
        match action {
            SceneAction::MoveCursor(at) => stage.cursor = *at,
            SceneAction::Fold => {
                editor.ask_folds()?;
                stage.folded = tool_folds(&editor.folds);
            }
            SceneAction::Unfold => stage.folded.clear(),
            SceneAction::Type { at, erased, typed } => {
                stage.folded.clear();
                stage.cursor = *at;
                for _ in 0..*erased {
                    let start = editor.text.floor_boundary(stage.cursor.saturating_sub(1));
                    self.keystroke(editor, stage, start, "")?;
                }
                for piece in pieces(typed) {
                    let at = stage.cursor;
                    self.keystroke(editor, stage, at, &piece)?;
                }
            }
        }
        Ok(())
    }

    /// Replaces the text between `start` and the cursor by `typed`.
    fn keystroke(
        &mut self,
        editor: &mut Editor,
        stage: &mut DemoStage<'_>,
        start: usize,
        typed: &str,
    ) -> Result<(), DemoStop> {
        let before = kinds(&editor.marks);
        editor.edit(start..stage.cursor, typed)?;
        stage.cursor = start + typed.len();
        if self.animation.is_some() {
            self.show(editor, stage)?;
            self.wait(KEYSTROKE);
        } else if before != kinds(&editor.marks) {
            // When printing, a keystroke gets a frame only if the diagnostics changed.
            self.show(editor, stage)?;
        }
        Ok(())
    }

    fn show(&mut self, editor: &Editor, stage: &DemoStage<'_>) -> io::Result<()> {
        let FrameSize { width, height } = self.size;
        let title = format!("chatls demo {}/{} · {}", stage.number, stage.count, stage.name);
        let frame = DemoFrame {
            title: &title,
            caption: stage.caption,
            text: &editor.text,
            marks: &editor.marks,
            folded: &stage.folded,
            cursor: stage.cursor,
            width,
            height,
        };
        let lines = frame.draw();
        if self.animation.is_some() {
            if !self.drawn.is_empty() {
                // Moves the cursor to the first line of the last frame and erases from there
                // (ECMA-48 CUU, ED).
                write!(self.out, "\u{1b}[{}A\u{1b}[J", self.drawn.len())?;
            }
        } else if lines == self.drawn {
            return Ok(());
        }
        for line in &lines {
            writeln!(self.out, "{line}")?;
        }
        if self.animation.is_none() {
            writeln!(self.out)?;
        }
        self.drawn = lines;
        self.out.flush()
    }

    fn wait(&self, time: Duration) {
        if let Some(factor) = self.animation {
            std::thread::sleep(time.mul_f64(factor));
        }
    }
}

/// Returns whether frames are drawn in place on such a terminal, and their size. Lines that the
/// terminal wraps could not be erased.
fn frame_on(terminal: Option<FrameSize>) -> (bool, FrameSize) {
    let Some(FrameSize { width, height }) = terminal else {
        return (false, SIZE);
    };
    let columns = SIZE.width.min(width);
    if width < SMALLEST.width || height < SMALLEST.height {
        return (false, FrameSize { width: columns.max(NARROWEST), height: SIZE.height });
    }
    (true, FrameSize { width: columns, height: SIZE.height.min(height - 1) })
}

/// Splits typed text into keystrokes; long text, as models write it, into tokens.
fn pieces(typed: &str) -> Vec<String> {
    const BY_HAND: usize = 40;
    const TOKEN: usize = 4;
    let characters: Vec<char> = typed.chars().collect();
    let size = if characters.len() > BY_HAND { TOKEN } else { 1 };
    characters.chunks(size).map(|piece| piece.iter().collect()).collect()
}

/// Checks that the state of the server is what the scene expects.
fn check(editor: &Editor, scene: &DemoScene, first: &[DiagnosticMark]) -> Result<(), DemoStop> {
    let (as_expected, expected) = match scene.expect {
        DemoExpectation::Anything => return Ok(()),
        DemoExpectation::Problem(code) => {
            (editor.marks.iter().any(|mark| mark.code == code), format!("a problem `{code}`"))
        }
        DemoExpectation::InitialDiagnostics => {
            let first = codes(first);
            (codes(&editor.marks) == first, format!("the problems of the start {first:?}"))
        }
        DemoExpectation::Label(label) => (
            editor.folds.iter().any(|fold| fold.label.contains(label)),
            format!("a fold with the label `{label}`"),
        ),
    };
    if as_expected {
        return Ok(());
    }
    let labels: Vec<_> = editor.folds.iter().map(|fold| fold.label.as_str()).collect();
    let found = codes(&editor.marks);
    Err(format!(
        "expected {expected} after \"{}\"; the server reports {found:?} and folds {labels:?}",
        scene.caption
    )
    .into())
}

/// The codes of the diagnostics, without their messages.
fn kinds(marks: &[DiagnosticMark]) -> Vec<String> {
    marks.iter().map(|mark| mark.code.clone()).collect()
}

fn codes(marks: &[DiagnosticMark]) -> Vec<(&str, &str)> {
    marks.iter().map(|mark| (mark.code.as_str(), mark.message.as_str())).collect()
}

#[cfg(test)]
mod tests;
