//! A session of a thousand random edits: after each notification the server's results equal those
//! for the same text opened anew.

use std::sync::Arc;

use chatls::config::Settings;
use chatls::diagnostic::Severity;
use chatls::document::{Document, Language};
use chatls::features::folding::{FoldingCapabilities, folding_ranges};
use chatls::text::Text;
use serde_json::{Value, json};

use super::client::{Client, range};

const URI: &str = "untitled:random";
const EDITS: usize = 1000;

/// Text that is typed, pasted and partly deleted in transcripts.
const PIECES: [&str; 26] = [
    "```tool\n",
    "```\n",
    "````\n",
    "{\"state\": \"done\"}\n",
    "{\"toolName\": \"f\", \"input\": {\n",
    "}",
    "]",
    "\"",
    ",",
    "\n",
    "\r\n",
    "\r",
    "\n\n",
    "> ",
    "- ",
    "    ",
    "👍",
    "é",
    "###: {\"toolName\": \"f\",\n \"parameters\": {}}\n",
    "<tool>f(a=1)\nok\n</tool>\n",
    "<tool>f(",
    "</tool>",
    "# h\n",
    "text ",
    "<!-- ",
    "🔧 **Tool Call:** `f()`\n",
];

/// xorshift64*: any seed but 0.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        usize::try_from(self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33).unwrap() % limit
    }
}

/// The text as a plain string, with positions counted by simple means.
struct Mirror(String);

impl Mirror {
    /// The position of a byte offset, in UTF-16.
    fn position(&self, offset: usize) -> (u32, u32) {
        let (mut line, mut column) = (0, 0);
        let mut characters = self.0[..offset].chars().peekable();
        while let Some(character) = characters.next() {
            let ends = character == '\n' || character == '\r' && characters.peek() != Some(&'\n');
            (line, column) = if ends { (line + 1, 0) } else { (line, column + character.len_utf16()) };
        }
        (line, u32::try_from(column).unwrap())
    }

    /// A random offset that a position can express.
    fn offset(&self, random: &mut Random) -> usize {
        let mut offset = random.below(self.0.len() + 1);
        while !self.0.is_char_boundary(offset) || self.is_inside_line_end(offset) {
            offset -= 1;
        }
        offset
    }

    fn is_inside_line_end(&self, offset: usize) -> bool {
        self.0[..offset].ends_with('\r') && self.0[offset..].starts_with('\n')
    }

    /// Makes a random change, and returns it as a client sends it.
    fn change(&mut self, random: &mut Random) -> Value {
        if random.below(200) == 0 {
            self.0 = (0..random.below(20)).map(|_| PIECES[random.below(PIECES.len())]).collect();
            return json!({"text": self.0});
        }
        let ends = [self.offset(random), self.offset(random)];
        let start = ends[0].min(ends[1]);
        let mut end = start;
        // Rarely the whole random amount.
        if random.below(3) == 0 {
            let limit = if random.below(10) == 0 { usize::MAX } else { start + 12 };
            end = ends[0].max(ends[1]).min(limit);
            while !self.0.is_char_boundary(end) || self.is_inside_line_end(end) {
                end -= 1;
            }
        }
        let text = if random.below(4) == 0 { "" } else { PIECES[random.below(PIECES.len())] };
        let range = range(self.position(start), self.position(end));
        self.0.replace_range(start..end, text);
        json!({"range": range, "text": text})
    }

    /// The results of a new parse, in wire format.
    fn expected(&self) -> (Value, Value) {
        let document = Document::new(
            Text::new(&self.0),
            Language::Markdown,
            Arc::new(Settings { is_named: false, ..Settings::default() }),
        );
        let problem = |it: chatls::diagnostic::Diagnostic| {
            json!({
                "range": range(self.position(it.range.start), self.position(it.range.end)),
                "severity": match it.severity {
                    Severity::Error => 1,
                    Severity::Warning => 2,
                    Severity::Information => 3,
                    Severity::Hint => 4,
                },
                "code": it.code.name(),
                "source": "chatls",
                "message": it.message,
            })
        };
        let problems = document.diagnostics().into_iter().map(problem).collect();
        let fold = |it: chatls::features::folding::Fold| {
            let mut fold = json!({"startLine": it.start_line, "endLine": it.end_line});
            if let Some(label) = it.label {
                fold["collapsedText"] = json!(label.to_string());
            }
            if it.kind.is_of_tools() {
                fold["kind"] = json!("region");
            }
            fold
        };
        let folds = folding_ranges(&document, FoldingCapabilities::default()).iter().map(fold).collect();
        (problems, folds)
    }
}

#[test]
fn a_thousand_random_edits_equal_a_fresh_parse() {
    let seed: u64 = std::env::var("CHATLS_SEED").map_or(1, |seed| seed.parse().unwrap());
    println!("CHATLS_SEED={seed}");
    let mut random = Random(seed);
    let capabilities = json!({"textDocument": {"foldingRange": {"foldingRange": {"collapsedText": true}}}});
    let (mut client, _) = Client::with_capabilities(capabilities);
    let mut mirror = Mirror("```tool\n{\"state\": \"done\"}\n```\n".repeat(5));
    client.open(URI, 0, &mirror.0);
    let (mut version, mut edits) = (0, 0);
    while edits < EDITS {
        let changes: Vec<_> = (0..=random.below(6)).map(|_| mirror.change(&mut random)).collect();
        edits += changes.len();
        version += 1;
        client.change(URI, version, json!(changes));
        let (problems, folds) = mirror.expected();
        assert_eq!(client.expect_diagnostics(URI, version), problems, "version {version} of {:?}", mirror.0);
        assert_eq!(client.folds(URI), folds, "version {version} of {:?}", mirror.0);
    }
    client.finish();
}
