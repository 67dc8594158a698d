//! The forms of SpecStory (<https://github.com/specstoryai/getspecstory>) in its files of
//! `.specstory/history`.

use super::row::{EMPTY, End, LOOSE, Piece, Place, Row};
use crate::call::CallPart;
use crate::syntax::PartLabels;

use Piece::{Input, Name, Skip, Text};

/// A call of older versions of SpecStory.
const UNTAGGED: Row = Row {
    end: End::Parts(PartLabels { labels: &["Result:", "Error:", "`"], ..LOOSE }),
    part: CallPart::Both,
    output: Place::Under(&["Result:"]),
    errors: &["Error:"],
    may_be_bare: true,
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
    // A thought is a text up to its end: a fence in it may have none.
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
    Row { head: &[Text("Tool use: **"), Name, Text("**")], input: Place::Under(&["`", ""]), ..UNTAGGED },
];
