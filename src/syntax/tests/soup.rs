//! Fragments of random documents, and rules like the rules of dialects.

use proptest::prelude::*;

use crate::syntax::{History, InlineRule, InlineRules, Mode, OpenerPlace, PartLabels, RegionEnd};

/// The rules of the tests, one for each end condition.
pub(super) static RULES: [InlineRule; 13] = [
    InlineRule {
        openers: &["###:"],
        place: OpenerPlace::Anywhere,
        accept: &|before, behind| {
            let line_break = |text: &str| text.trim_start_matches([' ', '\t']).starts_with(['\r', '\n']);
            let rest = behind.trim_start_matches([' ', '\t']);
            let rest = rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix(['\r', '\n'])).unwrap_or(rest);
            before != Some('#') && !line_break(rest) && rest.trim_start_matches([' ', '\t']).starts_with('{')
        },
        end: RegionEnd::Brace,
    },
    InlineRule {
        openers: &["<tool>"],
        place: OpenerPlace::Anywhere,
        accept: &|_, _| true,
        end: RegionEnd::Closer { closer: "</tool>", before: None, barred_by: &["<tool>"] },
    },
    InlineRule {
        openers: &["<validation>"],
        place: OpenerPlace::Anywhere,
        accept: &|_, _| true,
        end: RegionEnd::Closer { closer: "</validation>", before: None, barred_by: &["<validation>"] },
    },
    InlineRule {
        openers: &["</tool>", "</validation>"],
        place: OpenerPlace::Anywhere,
        accept: &|_, _| true,
        end: RegionEnd::Line(&|_| Some(0)),
    },
    InlineRule {
        openers: &["*🔧 "],
        place: OpenerPlace::LineStart,
        accept: &|_, _| true,
        end: RegionEnd::Line(&|rest| rest.find('*').map(|at| at + 1)),
    },
    InlineRule {
        openers: &["✅ **"],
        place: OpenerPlace::LineStart,
        accept: &|_, _| true,
        end: RegionEnd::Run,
    },
    InlineRule {
        openers: &["<use "],
        place: OpenerPlace::LineStart,
        accept: &|_, _| true,
        end: RegionEnd::Closer { closer: "</use>", before: Some(&["", "</d>"]), barred_by: &["<use "] },
    },
    InlineRule {
        openers: &["Act:"],
        place: OpenerPlace::LineStart,
        accept: &|_, _| true,
        end: RegionEnd::Paragraph(&|rest| rest.find("\nEnd").or(Some(rest.trim_end().len()))),
    },
    InlineRule {
        openers: &["**Use: "],
        place: OpenerPlace::LineStart,
        accept: &|_, _| true,
        end: RegionEnd::Parts(&PARTS),
    },
    InlineRule {
        openers: &["## Use: "],
        place: OpenerPlace::QuotedLine,
        accept: &|_, _| true,
        end: RegionEnd::Parts(&PartLabels { is_loose: true, ..PARTS }),
    },
    InlineRule {
        openers: &["=== Use"],
        place: OpenerPlace::LineStart,
        accept: &|_, _| true,
        end: RegionEnd::Parts(&PartLabels { until: &["===", "done\n"], is_bounded: true, ..PARTS }),
    },
    InlineRule {
        openers: &["Read: "],
        place: OpenerPlace::LineOf(History::SpecStory),
        accept: &|_, _| true,
        end: RegionEnd::Line(&|rest| Some(rest.trim_end().len())),
    },
    InlineRule {
        openers: &["<read>"],
        place: OpenerPlace::LineOf(History::SpecStory),
        accept: &|_, _| true,
        end: RegionEnd::Closer { closer: "</read>", before: None, barred_by: &["<read>"] },
    },
];

const PARTS: PartLabels = PartLabels {
    labels: &["**In:**", "**Out:**"],
    with_text: &["", "**Out:**"],
    with_both: &["", "**Out:**"],
    is_loose: false,
    fences: &["out"],
    barred: &["tool"],
    stops: &[],
    is_indented: true,
    until: &[],
    is_bounded: false,
};

/// Markdown with all regions.
pub(super) fn rules() -> InlineRules {
    InlineRules::new(Mode::Markdown, &RULES)
}

/// Fragments that affect Markdown's block structure.
pub(super) const MARKDOWN: &[&str] = &[
    "```",
    "```",
    "~~~",
    "````",
    "``",
    "`",
    "> ",
    ">",
    "> ",
    "- ",
    "* ",
    "+ ",
    "1. ",
    "2) ",
    "01. ",
    "10. ",
    "-",
    "1.",
    "    ",
    "  ",
    " ",
    "   ",
    "\t",
    "\n",
    "\n",
    "\n",
    "\n",
    "\n\n",
    "\n\n",
    "a",
    "foo",
    "b c",
    "# ",
    "## h #",
    "===",
    "done",
    "---",
    "=",
    "***",
    "_ _ _",
    "<div>",
    "</div>",
    "<pre>",
    "</pre>",
    "<!--",
    "-->",
    "<?",
    "?>",
    "<!A",
    ">",
    "<![CDATA[",
    "]]>",
    "<script>",
    "</script>",
    "<a b=\"c\">",
    "<x-y/>",
    "<b",
    "<style",
    "[a]: b",
    "[a]:",
    "\"t\"",
    "(t",
    "[foo]: <x>",
    "'",
    "[",
    "]",
    "\\",
    "\r",
    "\r\n",
    "tool",
    "</textarea>",
    "<search>",
    "é",
    "\u{feff}",
    "\0",
    "\u{b}",
    "\u{2028}",
];

/// Fragments that affect regions.
pub(super) const REGIONS: &[&str] = &[
    "<tool>",
    "</tool>",
    "<tool>",
    "</tool>",
    "<validation>",
    "</validation>",
    "###:",
    "###: {",
    "{",
    "}",
    "\"",
    "*🔧 x*",
    "✅ **",
    "\n<tool>",
    "\n> <tool>",
    "<tool>\n",
    "\n- ",
    "\n> ",
    "\n```\n",
    "\n~~~\n",
    "\n# aider chat started at 1\n",
    "\n<!-- Generated by SpecStory -->\n",
    "\n_**User**_\n",
    "Read: a\n",
    "\n<read>\n",
    "</read>\n",
    "\n> Tokens: 1\n",
    "\n<!--\n",
    "<use a>",
    "\n<use b>\n",
    "\n</use>\n",
    "\n</d></use>",
    "</use>",
    "Act: a\n",
    "=== Use\n",
    "=== a\n",
    "done\n",
    "\nEnd",
    "\n**Use: a**\n",
    "**Use: b\n```json\n{}\n```\n",
    "**In:**\n",
    "**Out:** c\n",
    "\n> ## Use: d\n",
    "\n```\nx\n```\n",
];

/// A text of up to `len` fragments.
pub(super) fn soup(pieces: &'static [&'static [&'static str]], len: usize) -> impl Strategy<Value = String> {
    let all: Vec<&'static str> = pieces.concat();
    proptest::collection::vec(proptest::sample::select(all), 0..len).prop_map(|pieces| pieces.concat())
}
