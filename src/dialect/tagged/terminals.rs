//! The forms of tagged text that are read in what programs print to a terminal.

use super::row::{End, Piece, Place, Row, Strength};
use super::table::{EMPTY, LOOSE, PARAGRAPH, RESULT};
use crate::call::CallPart;
use crate::call::pairing::PairingOrder;
use crate::syntax::{Colours, OpenerPlace, PartLabels};

use Piece::{Command, Id, Input, Name, Named, Number, Output, Program, Skip, Status, Text, Title};

/// The beginning of results in the console of AutoGen.
const EXECUTED: &str = "[FunctionExecutionResult(content=";
/// The results in the console of AutoGen, in the order of their calls.
const EXECUTION: Row = Row {
    list: Some(("), FunctionExecutionResult(content=", ")]")),
    order: PairingOrder::OldestFirst,
    failed: &["True"],
    done: &["False"],
    ..RESULT
};

/// A call in the console of older versions.
const SUGGESTED: Row = Row {
    end: End::Paragraph { stops: &["***"], labels: &["Arguments:"] },
    input: Place::Under(&["Arguments:"]),
    colours: Colours::Skipped,
    evidence: Strength::Sure,
    ..EMPTY
};
/// The result of such a call.
const RESPONSE: Row = Row {
    end: End::Parts(PartLabels { until: &["*****"], is_bounded: true, ..LOOSE }),
    colours: Colours::Skipped,
    ..RESULT
};

/// The beginnings of lines in Claude Code's terminal.
const BULLETS: &[&str] = &["⏺", "●", "⎿"];
/// A call there.
const BULLET: Row =
    Row {
        or: &["● "], end: End::Paragraph { stops: BULLETS, labels: &[] }, input: Place::Wrapped, ..EMPTY
    };

/// The end of what a command of Codex prints.
const CODEX: End = End::Parts(PartLabels {
    until: &[
        "exec\n",
        "codex\n",
        "thinking\n",
        "user\n",
        "tokens used\n",
        "apply patch\n",
        "apply_patch(",
        "file update\n",
        "file update:\n",
        "/bin/bash -lc ",
        "/bin/zsh -lc ",
        "succeeded in ",
        "exited ",
        "[202",
    ],
    ..LOOSE
});
/// A command there, with what it prints.
const EXECUTED_COMMAND: Row = Row {
    // The paths of shells.
    or: &["/usr/"],
    end: CODEX,
    part: CallPart::Both,
    input: Place::Head,
    output: Place::Below,
    may_be_bare: true,
    evidence: Strength::Sure,
    ..EMPTY
};
/// A command whose output stands below lines of other commands.
const STARTED_COMMAND: Row = Row { or: EXECUTED_COMMAND.or, input: Place::Head, ..EMPTY };
/// The beginning of the path of a shell for Windows.
const WINDOWS: &str = "\"C:\\\\";
/// The output of a command, if lines of other commands stand between.
const PRINTED_LINES: Row =
    Row { end: CODEX, output: Place::Below, done: &[""], order: PairingOrder::OldestFirst, ..RESULT };
/// Changes of files there.
const CHANGE: Row = Row { end: CODEX, input: Place::Below, may_be_bare: true, ..EMPTY };
/// The lines that are printed about these changes.
const CHANGED: Row = Row { order: PairingOrder::NearestFirst, ..PRINTED_LINES };
/// The end of a line in its terminal.
const CODEX_PART: End = End::Paragraph { stops: &["•"], labels: &["└", "│"] };
/// A call there.
const CODEX_CALL: Row =
    Row { end: CODEX_PART, part: CallPart::Both, input: Place::Under(&["└"]), done: &[""], ..EMPTY };
/// A call that changes a file there.
const CODEX_EDIT: Row = Row {
    end: End::Paragraph { stops: &["•"], labels: &[] },
    part: CallPart::Both,
    input: Place::Head,
    done: &[""],
    ..EMPTY
};

/// A call in a frame of Gemini CLI.
const FRAMED: Row = Row {
    head: &[Text("│ "), Status, Text(" "), Name, Text(" "), Input, Text("│")],
    end: End::Paragraph { stops: &["╰"], labels: &["│"] },
    part: CallPart::Both,
    input: Place::Head,
    output: Place::Boxed,
    failed: &["x", "✗", "-"],
    done: &["✓", "✔"],
    evidence: Strength::Sure,
    ..EMPTY
};

/// A call in the terminal of goose.
const GOOSE: Row = Row {
    part: CallPart::Both,
    input: Place::Lead,
    output: Place::Body,
    may_be_bare: true,
    evidence: Strength::Sure,
    ..EMPTY
};
/// The line above a call of goose.
const LINE: &str = "────────────────────────────────────────";

/// A result in the log of OpenManus.
const ACTIVATED: Row = Row {
    place: OpenerPlace::Anywhere,
    end: End::Paragraph { stops: &["20"], labels: &[] },
    failures: &["Error:"],
    ..RESULT
};

/// The labels of CrewAI.
const CREW: &[&str] = &["## Tool Input:", "## Tool Output:"];
/// The beginnings of what stands after a call of CrewAI.
const BEHIND_CREW: &[&str] = &[
    "# Agent:",
    "## Using tool:",
    "## Thought:",
    "## Final Answer:",
    "🚀 ",
    "🤖 ",
    "╭",
    "User:",
    "Assistant:",
    "**User",
    "**Assistant",
];

/// The end of a message that LangChain prints, before the first line of the next one.
const PRINTED: PartLabels =
    PartLabels { labels: &["Name:"], until: &["================================"], ..LOOSE };
/// One of the calls in such a message.
const PRINTED_CALL: Row = Row {
    head: &[Text("  "), Name, Text(" ("), Id, Text(")")],
    end: End::Paragraph { stops: &[], labels: &["Call ID:", "Error:", "Args:"] },
    input: Place::Keys(&[("Args:", "")]),
    may_be_bare: true,
    evidence: Strength::Sure,
    ..EMPTY
};

/// The rows of tagged text in terminals.
pub(super) const IN_TERMINALS: &[Row] = &[
    // Claude Code, copied from the terminal, where lines are wrapped and cut.
    Row { head: &[Text("⏺ "), Name, Text(" (MCP)("), Input], ..BULLET },
    // A tool with a long title, after the name of its server.
    Row { head: &[Text("⏺ "), Skip, Text(" - "), Name, Text(" (MCP)("), Input], ..BULLET },
    Row { head: &[Text("⏺ "), Name, Text("("), Input], ..BULLET },
    Row { head: &[Text("⏺ "), Named("Update Todos")], or: &["● "], may_be_bare: true, ..EMPTY },
    Row {
        head: &[Text("⎿"), Output],
        end: End::Parts(PartLabels {
            with_text: &[""],
            with_both: &[],
            stops: BULLETS,
            is_indented: true,
            ..LOOSE
        }),
        failures: &["Error"],
        ..RESULT
    },
    // AutoGen (https://github.com/microsoft/autogen), its console.
    Row {
        head: &[Text("[FunctionCall(id='"), Id, Text("', arguments='"), Input, Text("', name='"), Name],
        list: Some(("'), FunctionCall(id='", "')]")),
        input: Place::Head,
        evidence: Strength::Sure,
        ..EMPTY
    },
    Row {
        head: &[
            Text(EXECUTED),
            Output,
            Text(", name='"),
            Name,
            Text("', call_id='"),
            Id,
            Text("', is_error="),
            Status,
        ],
        ..EXECUTION
    },
    Row {
        head: &[Text(EXECUTED), Output, Text(", name='"), Name, Text("', call_id='"), Id, Text("'"), Skip],
        ..EXECUTION
    },
    Row { head: &[Text(EXECUTED), Output, Text(", call_id='"), Id, Text("'"), Skip], ..EXECUTION },
    Row {
        head: &[Text("***** Suggested tool call ("), Id, Text("): "), Name, Text(" *****")],
        or: &["***** Suggested tool Call ("],
        ..SUGGESTED
    },
    Row {
        head: &[Text("***** Suggested function call: "), Name, Text(" *****")],
        or: &["***** Suggested function Call: "],
        ..SUGGESTED
    },
    Row { head: &[Text("***** Response from calling tool ("), Id, Text(") *****"), Output], ..RESPONSE },
    Row { head: &[Text("***** Response from calling tool \""), Id, Text("\" *****"), Output], ..RESPONSE },
    Row {
        head: &[Text("***** Response from calling function ("), Skip, Text(") *****"), Output],
        ..RESPONSE
    },
    Row {
        head: &[Text("***** Response from calling function \""), Skip, Text("\" *****"), Output],
        ..RESPONSE
    },
    // LangChain, the console of its agents that call tools: nothing stands between a result and the
    // next text.
    Row {
        head: &[Text("Invoking: `"), Name, Text("` with `"), Input, Text("`")],
        end: End::Parts(PartLabels { until: &["Invoking: `", "> Finished chain."], ..LOOSE }),
        colours: Colours::Skipped,
        part: CallPart::Both,
        input: Place::Head,
        output: Place::Body,
        may_be_bare: true,
        ..EMPTY
    },
    // The last line of an agent in that console is evidence, like a result without a call. It may
    // stand anywhere in a line: coloured, its `>` begins no quote.
    Row {
        head: &[Named("Finished chain."), Output],
        place: OpenerPlace::Anywhere,
        colours: Colours::Skipped,
        ..RESULT
    },
    // LangChain: `pretty_repr` of messages, `langchain_core/messages/ai.py` and `base.py`.
    Row {
        head: &[Text("Tool Calls:")],
        or: &["Invalid Tool Calls:"],
        end: End::Parts(PRINTED),
        items: Some(&PRINTED_CALL),
        ..EMPTY
    },
    Row {
        head: &[Text("================================= Tool Message =================================")],
        end: End::Parts(PRINTED),
        name: Some("Name:"),
        output: Place::Body,
        order: PairingOrder::OldestFirst,
        failures: &["Error: "],
        ..RESULT
    },
    // LlamaIndex (https://github.com/run-llama/llama_index), the console of its agents.
    Row {
        head: &[Text("Calling function: "), Name, Text(" with args: "), Input],
        end: End::Paragraph { stops: &["==="], labels: &["Got output:"] },
        part: CallPart::Both,
        input: Place::Head,
        output: Place::Under(&["Got output:"]),
        evidence: Strength::Sure,
        ..EMPTY
    },
    Row {
        head: &[Text("Calling function: "), Name, Text(" with args: "), Input],
        input: Place::Head,
        ..EMPTY
    },
    Row {
        head: &[Text("=== Function Output ===")],
        end: End::Parts(PartLabels { until: &["=== "], ..LOOSE }),
        part: CallPart::Result,
        output: Place::Below,
        ..EMPTY
    },
    // AutoGPT (https://github.com/Significant-Gravitas/AutoGPT), its console.
    Row {
        head: &[Text("NEXT ACTION:  COMMAND = "), Name, Text(" ARGUMENTS = "), Input],
        colours: Colours::Skipped,
        input: Place::Head,
        ..EMPTY
    },
    Row {
        head: &[Text("SYSTEM:  Command "), Name, Text(" returned: "), Output],
        colours: Colours::Skipped,
        failures: &["Error:"],
        end: PARAGRAPH,
        ..RESULT
    },
    // Codex (https://github.com/openai/codex): `codex exec`, before 0.45 with a time on each line.
    Row {
        head: &[
            Text("/bin/"),
            Program,
            Text(" -lc "),
            Command,
            Text(" in /"),
            Skip,
            Text(" succeeded in "),
            Skip,
        ],
        done: &[""],
        ..EXECUTED_COMMAND
    },
    Row {
        head: &[Text("/bin/"), Program, Text(" -lc "), Command, Text(" in /"), Skip, Text(" exited "), Skip],
        failed: &[""],
        ..EXECUTED_COMMAND
    },
    Row { head: &[Text("/bin/"), Program, Text(" -lc "), Command, Text(" in /"), Skip], ..STARTED_COMMAND },
    Row {
        head: &[Text("/bin/"), Program, Text(" -lc "), Input],
        last: &[
            &[Command, Text(" in /"), Skip, Text(" "), Status, Text(" in "), Skip],
            &[Command, Text(" in /"), Skip],
        ],
        failed: &["exited"],
        done: &["succeeded"],
        ..EXECUTED_COMMAND
    },
    Row {
        head: &[Text(WINDOWS), Program, Text(" -Command "), Command, Text(" in "), Skip],
        ..STARTED_COMMAND
    },
    Row {
        head: &[Text(WINDOWS), Program, Text(" -Command "), Input],
        last: &[&[Command, Text(" in "), Skip]],
        ..EXECUTED_COMMAND
    },
    Row { head: &[Named("apply patch")], second: &["patch: "], part: CallPart::Both, done: &[""], ..CHANGE },
    Row { head: &[Named("file update")], second: &["A /", "D /", "M /"], ..CHANGE },
    Row { head: &[Text("apply_patch("), Skip, Text(") exited 0 in "), Skip], ..CHANGED },
    Row { head: &[Text("apply_patch("), Skip, Text(") exited "), Skip], failed: &[""], ..CHANGED },
    Row { head: &[Text("succeeded in"), Number, Text("ms:")], ..PRINTED_LINES },
    Row { head: &[Text("exited "), Skip, Text(" in"), Number, Text("ms:")], failed: &[""], ..PRINTED_LINES },
    Row {
        head: &[Text("] exec "), Name, Text(" -lc "), Input, Text(" in /"), Skip],
        place: OpenerPlace::Anywhere,
        input: Place::Head,
        ..EMPTY
    },
    Row {
        head: &[Text("] bash -lc "), Skip, Text(" succeeded in"), Number, Text("ms:")],
        place: OpenerPlace::Anywhere,
        ..PRINTED_LINES
    },
    Row {
        head: &[Text("] bash -lc "), Skip, Text(" exited "), Skip, Text(" in"), Number, Text("ms:")],
        place: OpenerPlace::Anywhere,
        failed: &[""],
        ..PRINTED_LINES
    },
    // Its terminal.
    Row {
        head: &[Named("• Ran"), Text(" "), Input],
        end: CODEX_PART,
        part: CallPart::Both,
        input: Place::Head,
        output: Place::Under(&["└"]),
        evidence: Strength::Sure,
        ..EMPTY
    },
    Row { head: &[Named("• Explored")], ..CODEX_CALL },
    Row { head: &[Named("• Updated Plan")], ..CODEX_CALL },
    Row { head: &[Named("• Edited"), Text(" "), Input, Text(" (+"), Skip], ..CODEX_EDIT },
    Row { head: &[Named("• Added"), Text(" "), Input, Text(" (+"), Skip], ..CODEX_EDIT },
    Row { head: &[Named("• Deleted"), Text(" "), Input, Text(" (+"), Skip], ..CODEX_EDIT },
    // Gemini CLI and its forks, their terminal.
    Row {
        head: &[Text("╭─"), Skip],
        end: End::Closer { closer: "╯", before: None },
        items: Some(&FRAMED),
        ..EMPTY
    },
    // goose (https://github.com/block/goose), its terminal.
    Row {
        head: &[Text("─── "), Name, Text(" | "), Skip],
        end: End::Parts(PartLabels { until: &["─── ", "( O)> "], ..LOOSE }),
        ..GOOSE
    },
    Row {
        head: &[Text(LINE)],
        second: &["▸ "],
        name: Some("▸"),
        colours: Colours::Skipped,
        end: End::Parts(PartLabels { labels: &["▸"], until: &[LINE, "( O)> "], ..LOOSE }),
        ..GOOSE
    },
    // OpenManus (https://github.com/FoundationAgents/OpenManus), its log. Its inputs belong to no
    // certain call.
    Row {
        head: &[Text("🔧 Activating tool: '"), Name, Text("'...")],
        place: OpenerPlace::Anywhere,
        may_be_bare: true,
        ..EMPTY
    },
    Row {
        head: &[
            Text("🎯 Tool '"),
            Name,
            Text("' completed its mission! Result: Observed output of cmd `"),
            Skip,
            Text("` executed:"),
        ],
        output: Place::Below,
        ..ACTIVATED
    },
    Row {
        head: &[Text("🎯 Tool '"), Name, Text("' completed its mission! Result: "), Output], ..ACTIVATED
    },
    // CrewAI, its console: `show_agent_logs` in `crewai/agents/crew_agent_executor.py`.
    Row {
        head: &[Text("## Using tool: "), Title],
        colours: Colours::Skipped,
        end: End::Parts(PartLabels { labels: CREW, until: BEHIND_CREW, is_bounded: true, ..LOOSE }),
        part: CallPart::Both,
        input: Place::Under(&["## Tool Input:"]),
        output: Place::From("## Tool Output:"),
        evidence: Strength::Sure,
        ..EMPTY
    },
];
