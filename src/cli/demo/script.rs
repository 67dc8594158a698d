//! The scenes of a demo as data, each with its expected result.
//!
//! Every typed error is fixed in the next scene, so that a session ends with the initial text.

use super::client::DemoError;
use super::editor::{Editor, EditorFold};
use crate::document::Language;

/// A scene: a caption, an action, and the expected state of the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DemoScene {
    pub caption: String,
    pub action: SceneAction,
    pub expect: DemoExpectation,
}

/// An action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SceneAction {
    /// Moves the cursor to a byte offset.
    MoveCursor(usize),
    /// Closes the folds of tool uses.
    Fold,
    /// Opens the folds.
    Unfold,
    /// Moves to the byte `at`, presses backspace `erased` times, then types.
    Type { at: usize, erased: usize, typed: String },
}

/// The expected result of an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum DemoExpectation {
    /// No expectation.
    Anything,
    /// A diagnostic with this code that did not exist initially.
    Problem(&'static str),
    /// The initial diagnostics.
    InitialDiagnostics,
    /// A fold with this text in its label.
    Label(&'static str),
}

/// The scenes of a session on the built-in sample, in order.
pub(super) fn sample_scenes() -> Vec<DemoScene> {
    let text = super::SAMPLE;
    let state = after(text, "\"state\": \"output-available");
    let comma = after(text, "\"toolCallId\": \"call_1\",");
    let name = after(text, "\"toolName\": \"read_file");
    let goes_on = after(text, "title. ✅\n");
    let call = "\n```tool\n{ \"toolName\": \"add_package\", \"input\": { \"name\": \"react-title\" } }\n```\n\
                ```tool\n{ \"toolName\": \"read_file\", \"input\": { \"path\": \"package.json\" } }\n```\n";
    let mut scenes = vec![
        scene(
            "An editor opens a transcript. It has no problems.",
            SceneAction::MoveCursor(0),
            DemoExpectation::InitialDiagnostics,
        ),
        scene(
            "Consecutive tool calls fold into one line that shows their outcome.",
            SceneAction::Fold,
            DemoExpectation::Label("🔧 3 tool calls · 1 failed"),
        ),
        scene(
            "Unfolded again, a state is edited ...",
            SceneAction::Unfold,
            DemoExpectation::InitialDiagnostics,
        ),
    ];
    scenes.extend(typing_scenes(
        ["... to a value that no reader knows.", "The correct state removes the problem."],
        state,
        "able",
        "",
        "bad-state",
    ));
    scenes.extend(typing_scenes(
        ["Without a comma, chatls reports what it expected, and where.", "The comma is restored."],
        comma,
        ",",
        "",
        "invalid-json",
    ));
    scenes.extend(typing_scenes(
        ["The registry lacks this tool: chatls suggests a similar one.", "The suggestion is correct."],
        name,
        "",
        "s",
        "unknown-tool",
    ));
    scenes.push(scene(
        "A model continues: two more calls, without results so far.",
        SceneAction::Type { at: goes_on, erased: 0, typed: call.to_owned() },
        DemoExpectation::InitialDiagnostics,
    ));
    scenes.push(scene(
        "They form a batch of their own, whose label shows that it is pending.",
        SceneAction::Fold,
        DemoExpectation::Label("🔧 2 tool calls · 2 pending"),
    ));
    scenes
}

/// The scenes of a session on the document that is open in `editor`: with an error in its first
/// payload, or in a call that is added at its end.
pub(super) fn scenes_of_file(editor: &mut Editor, language: Language) -> Result<Vec<DemoScene>, DemoError> {
    editor.ask_folds()?;
    let problems = match editor.marks.len() {
        0 => "chatls finds no problems".to_owned(),
        1 => "chatls finds one problem".to_owned(),
        count => format!("chatls finds {count} problems"),
    };
    let first = editor.marks.first().map_or(0, |mark| mark.range.start);
    let mut scenes = vec![scene(
        &format!("The document is open, and {problems}."),
        SceneAction::MoveCursor(first),
        DemoExpectation::InitialDiagnostics,
    )];
    let tools = tool_folds(&editor.folds);
    if let Some(fold) = tools.first() {
        let at = editor.text.byte_of_line(fold.start_line);
        scenes.push(scene("Its tool calls ...", SceneAction::MoveCursor(at), DemoExpectation::Anything));
        scenes.push(scene("... fold into their labels.", SceneAction::Fold, DemoExpectation::Anything));
        scenes.push(scene("Unfolded again:", SceneAction::Unfold, DemoExpectation::Anything));
    }
    let payload = tools.first().and_then(|fold| {
        let start = editor.text.byte_of_line(fold.start_line);
        let end = editor.text.byte_of_line(fold.end_line + 1).min(start + 100_000);
        let at = editor.text.slice(start..end).find('{')?;
        Some(start + at + 1)
    });
    let (at, typed) = match (payload, language) {
        (Some(at), _) => (at, " oops".to_owned()),
        (None, Language::Markdown | Language::Org) => {
            (editor.text.len(), "\n\n```tool\n{ \"state\": \"done\" }\n```\n".to_owned())
        }
        (None, Language::Json) => (editor.text.len(), "oops".to_owned()),
        (None, Language::Log) => (
            editor.text.len(),
            "\n{\"type\":\"tool-call\",\"toolCallId\":\"demo\",\"toolName\":\"demo\",\"input\":{oops}}\n"
                .to_owned(),
        ),
    };
    let erased = typed.chars().count();
    let end = at + typed.len();
    scenes.push(scene(
        "chatls reports an error while it is typed.",
        SceneAction::Type { at, erased: 0, typed },
        DemoExpectation::Anything,
    ));
    scenes.push(scene(
        "Undone, the text is as before. The file itself is never written.",
        SceneAction::Type { at: end, erased, typed: String::new() },
        DemoExpectation::InitialDiagnostics,
    ));
    Ok(scenes)
}

/// Creates two scenes: the first deletes `erased` before the byte `at` and types `typed`, which
/// causes a diagnostic; the second reverts that.
fn typing_scenes(
    captions: [&str; 2],
    at: usize,
    erased: &str,
    typed: &str,
    code: &'static str,
) -> [DemoScene; 2] {
    let typing = |at, erased: &str, typed: &str| SceneAction::Type {
        at,
        erased: erased.chars().count(),
        typed: typed.to_owned(),
    };
    let [broken, fixed] = captions;
    let end = at - erased.len() + typed.len();
    [
        scene(broken, typing(at, erased, typed), DemoExpectation::Problem(code)),
        scene(fixed, typing(end, typed, erased), DemoExpectation::InitialDiagnostics),
    ]
}

fn scene(caption: &str, action: SceneAction, expect: DemoExpectation) -> DemoScene {
    DemoScene { caption: caption.to_owned(), action, expect }
}

/// The offset after the first `needle` of the sample.
fn after(text: &str, needle: &str) -> usize {
    text.find(needle).map_or(text.len(), |at| at + needle.len())
}

/// The outermost folds of tool uses, which users of an editor would close.
pub(super) fn tool_folds(folds: &[EditorFold]) -> Vec<EditorFold> {
    let mut outermost: Vec<EditorFold> = Vec::new();
    for fold in folds.iter().filter(|fold| fold.label.starts_with('🔧')) {
        if outermost.last().is_none_or(|last| fold.start_line > last.end_line) {
            outermost.push(fold.clone());
        }
    }
    outermost
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Applies the edits of the sample's scenes to its text.
    #[test]
    fn the_script_restores_the_sample() {
        let mut text = super::super::SAMPLE.to_owned();
        let mut differs = 0;
        for scene in sample_scenes() {
            if let SceneAction::Type { at, erased, typed } = &scene.action {
                let start =
                    text[..*at].char_indices().rev().nth(erased.wrapping_sub(1)).map_or(*at, |(at, _)| at);
                let start = if *erased == 0 { *at } else { start };
                text.replace_range(start..*at, typed);
                match scene.expect {
                    DemoExpectation::Problem(_) => {
                        assert_ne!(text, super::super::SAMPLE);
                        differs += 1;
                    }
                    _ if !typed.contains("```") => {
                        assert_eq!(text, super::super::SAMPLE, "{}", scene.caption)
                    }
                    _ => {}
                }
            }
        }
        assert_eq!(differs, 3);
    }
}
