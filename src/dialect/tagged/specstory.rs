//! The forms of SpecStory (<https://github.com/specstoryai/getspecstory>) in its files of
//! `.specstory/history`.

use super::row::{EMPTY, End, LOOSE, Piece, Place, Row};
use crate::call::CallPart;
use crate::syntax::{History, OpenerPlace, PartLabels};

use Piece::{Input, Name, Named, Skip, Text};

/// The place of lines that ordinary text may have, too.
const PLACE: OpenerPlace = OpenerPlace::LineOf(History::SpecStory);

/// A call of older versions for Claude Code.
const UNTAGGED: Row = Row {
    end: End::Parts(PartLabels { labels: &["Result:", "Error:", "`"], ..LOOSE }),
    part: CallPart::Both,
    output: Place::Under(&["Result:"]),
    errors: &["Error:"],
    may_be_bare: true,
    ..EMPTY
};

/// A call of the first versions for Cursor: the summary of an element with the result.
const LISTED: Row = Row {
    place: PLACE,
    end: End::Closer { closer: "</details>", before: Some(&[""]) },
    part: CallPart::Both,
    input: Place::Head,
    output: Place::Below,
    ..EMPTY
};

/// The rows.
pub(super) const OF_SPECSTORY: &[Row] = &[
    Row {
        head: &[
            Text("<tool-use data-tool-type=\""),
            Skip,
            Text("\" data-tool-name=\""),
            Name,
            Text("\""),
            Skip,
            Text(">"),
            Skip,
        ],
        end: End::Closer { closer: "</tool-use>", before: Some(&["", "</details>"]) },
        part: CallPart::Both,
        input: Place::Prose(&["<details>", "</details>", "<summary>", "</summary>", "Tool use: "]),
        output: Place::LastFence,
        ..EMPTY
    },
    // A thought is text up to its end, because a fence in it may have no end.
    Row {
        head: &[Text("<think>"), Text("<details>"), Skip],
        end: End::Closer { closer: "</think>", before: None },
        part: CallPart::Result,
        ..EMPTY
    },
    // Older versions, in which the end of a call is not marked.
    Row {
        head: &[Text("Tool use: **"), Name, Text("** `"), Input, Text("`")],
        input: Place::Head,
        output: Place::Under(&["Result:", ""]),
        ..UNTAGGED
    },
    Row { head: &[Text("Tool use: **"), Name, Text("** "), Input], input: Place::Head, ..UNTAGGED },
    Row {
        head: &[Text("Tool use: **"), Name, Text("**")],
        place: PLACE,
        end: End::Parts(PartLabels {
            labels: &["*Parameters*:", "`", "Result:", "*Result*:", "Error:", "</details>"],
            fences: &["bash"],
            until: &["---\n", "Tool use: **", "_**"],
            ..LOOSE
        }),
        input: Place::Prose(&["<details>", "<summary>"]),
        output: Place::Details(&["Result:", "*Result*:"]),
        done: &[""],
        ..UNTAGGED
    },
    // The first versions for Cursor.
    Row { head: &[Text("<summary>"), Named("Listed current directory"), Skip], ..LISTED },
    Row {
        head: &[Text("<summary>"), Named("Listed directory"), Text(" "), Input, Text(" • **"), Skip],
        ..LISTED
    },
    Row {
        head: &[Text("<summary>"), Named("Searched codebase"), Text(" "), Input, Text(" • **"), Skip],
        ..LISTED
    },
    Row {
        head: &[Text("<summary>"), Named("Searched web"), Text(" "), Input, Text(" • **"), Skip],
        ..LISTED
    },
    Row {
        head: &[Text("<summary>"), Named("Grep search for"), Text(" "), Input, Text(" • **"), Skip],
        ..LISTED
    },
    Row {
        head: &[Named("Read file"), Text(": "), Input],
        is_alone: true,
        place: PLACE,
        part: CallPart::Both,
        input: Place::Head,
        ..EMPTY
    },
];
