//! The forms of tagged text in the terminals of Kiro (<https://kiro.dev>) and Amazon Q.

use super::row::{End, Piece, Place, Row, Strength};
use super::table::{EMPTY, LOOSE};
use crate::call::CallPart;
use crate::syntax::{Colours, PartLabels};

use Piece::{Input, Name, Skip, Text};

/// The beginnings of the lines of Kiro with a call, besides the rows' own.
const KIRO_WRITES: &[&str] = &[
    "I'll create the following file: ",
    "I'll modify the following file: ",
    "I'll append content to file: ",
    "Batch fs_read operation with ",
];
const KIRO_READS: &[&str] = &[
    "Reading directory: ",
    "Reading images: ",
    "Searching for: ",
    "Searching for files: ",
    "Searching for symbols matching: ",
    "Searching knowledge base for: ",
    "Searching: ",
    "Getting symbols from: ",
];
/// The beginnings of what stands after such a call.
const BEHIND_KIRO: &[&str] = &[
    "Completed in ",
    " - Completed in ",
    "> ",
    "I will run the following command: ",
    "I'll create the following file: ",
    "I'll modify the following file: ",
    "Batch fs_read operation with ",
    "Reading file: ",
    "Reading directory: ",
    "Searching ",
    "Running tool ",
];
/// A line of Kiro with a call.
const KIRO: Row = Row {
    colours: Colours::Skipped,
    end: End::Parts(PartLabels { until: BEHIND_KIRO, ..LOOSE }),
    part: CallPart::Both,
    input: Place::Head,
    output: Place::Body,
    may_be_bare: true,
    evidence: Strength::Sure,
    done: &[""],
    ..EMPTY
};
/// The same with its result in the next line.
const KIRO_READ: Row = Row { or: KIRO_READS, output: Place::Below, ..KIRO };

/// The beginnings of what stands after a call of Amazon Q.
const BEHIND_AMAZON_Q: &[&str] =
    &["● Completed in ", "🛠", "# ", "## ", "User:", "Assistant:", "**User", "**Assistant"];
/// A line of Amazon Q with a call.
const AMAZON_Q: Row = Row {
    or: &["🛠️ Using tool: "],
    end: End::Parts(PartLabels { labels: &["●", "⋮", "↳"], until: BEHIND_AMAZON_Q, ..LOOSE }),
    input: Place::Keys(&[("●", "action")]),
    ..KIRO
};

/// The rows.
pub(super) const OF_KIRO: &[Row] = &[
    Row {
        head: &[
            Text("I will run the following command: "),
            Input,
            Text(" (using tool: "),
            Name,
            Text(")"),
            Skip,
        ],
        or: KIRO_WRITES,
        ..KIRO
    },
    Row {
        head: &[Text("I will run the following command: "), Input],
        last: &[&[Input, Text(" (using tool: "), Name, Text(")"), Skip]],
        ..KIRO
    },
    Row {
        head: &[Text("Reading file: "), Input, Text(" (using tool: "), Name, Text(")"), Skip],
        ..KIRO_READ
    },
    Row {
        head: &[Text("Reading file: "), Input, Text(" (using tool: "), Name, Text(","), Skip],
        ..KIRO_READ
    },
    Row {
        head: &[Text("Running tool "), Name, Text(" with the param"), Skip],
        input: Place::Boxed,
        output: Place::None,
        ..KIRO
    },
    Row { head: &[Text("🛠️  Using tool: "), Name, Text(" ("), Skip], ..AMAZON_Q },
    Row { head: &[Text("🛠️  Using tool: "), Name], ..AMAZON_Q },
];
