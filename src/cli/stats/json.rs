//! `--format json`: one object, for programs. All keys are always present; missing values are null.

use std::io::{self, Write};

use serde::Serialize;

use super::counts::{GroupStats, OutcomeCounts};
use super::failures::FailureKind;
use super::groups::GroupBy;
use super::report::StatsReport;
use super::sizes::SizeHistogram;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct StatsObject<'a> {
    documents: Documents,
    #[serde(flatten)]
    outcomes: Results,
    batches: Numbers,
    dialects: Vec<DialectStats>,
    #[serde(flatten)]
    groups: GroupsJson<'a>,
    failures: Vec<FailureJson<'a>>,
    other_failures: u64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Documents {
    count: u64,
    with_calls: u64,
    bytes: Numbers,
    calls: Numbers,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Results {
    calls: u64,
    done: u64,
    failed: u64,
    pending: u64,
    without_call: u64,
}

#[derive(Serialize)]
struct Numbers {
    count: u64,
    sum: u64,
    median: Option<u64>,
    p95: Option<u64>,
    max: u64,
}

#[derive(Serialize)]
struct DialectStats {
    dialect: &'static str,
    #[serde(flatten)]
    outcomes: Results,
}

/// The groups: tools, or others with the number of their turns.
#[derive(Serialize)]
#[serde(untagged, rename_all_fields = "camelCase")]
enum GroupsJson<'a> {
    Tools { tools: Vec<ToolJson<'a>>, other_tools: Option<OtherTools> },
    Groups { by: &'static str, groups: Vec<GroupJson<'a>>, other_groups: Option<OtherGroups> },
}

#[derive(Serialize)]
struct GroupJson<'a> {
    name: Option<&'a str>,
    turns: u64,
    #[serde(flatten)]
    rest: GroupCounts,
}

#[derive(Serialize)]
struct OtherGroups {
    turns: u64,
    #[serde(flatten)]
    rest: OtherTools,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ToolJson<'a> {
    tool_name: Option<&'a str>,
    #[serde(flatten)]
    rest: GroupCounts,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct GroupCounts {
    documents: u64,
    #[serde(flatten)]
    outcomes: Results,
    input_bytes: Numbers,
    output_bytes: Numbers,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct OtherTools {
    count: usize,
    #[serde(flatten)]
    outcomes: Results,
    input_bytes: Numbers,
    output_bytes: Numbers,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FailureJson<'a> {
    count: u64,
    tool_name: Option<&'a str>,
    kind: &'a str,
    example: ExampleJson<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ExampleJson<'a> {
    file: &'a str,
    line: usize,
    error_text: Option<&'a str>,
}

/// Writes `report` as one line.
pub(super) fn write(report: &StatsReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, &object(report))?;
    out.write_all(b"\n")
}

fn object<'a>(report: &'a StatsReport<'_>) -> StatsObject<'a> {
    let counts = report.counts;
    StatsObject {
        documents: Documents {
            count: counts.documents.count,
            with_calls: counts.calls.count,
            bytes: numbers(&counts.documents),
            calls: numbers(&counts.calls),
        },
        outcomes: results(&counts.outcomes),
        batches: numbers(&counts.batches),
        dialects: counts
            .dialects
            .iter()
            .map(|(dialect, outcomes)| DialectStats { dialect, outcomes: results(outcomes) })
            .collect(),
        groups: groups(report),
        failures: report.failures.iter().map(|(tool, kind, it)| of_failure(*tool, kind, it)).collect(),
        other_failures: report.other_failures,
    }
}

fn groups<'a>(report: &'a StatsReport<'_>) -> GroupsJson<'a> {
    let all = report.groups.iter();
    match report.counts.by {
        GroupBy::Tool => GroupsJson::Tools {
            tools: all.map(|(name, group)| ToolJson { tool_name: *name, rest: of_group(group) }).collect(),
            other_tools: report.other_groups.as_ref().map(|(count, group)| others(*count, group)),
        },
        by => GroupsJson::Groups {
            by: by.name(),
            groups: all
                .map(|(name, group)| GroupJson { name: *name, turns: group.turns, rest: of_group(group) })
                .collect(),
            other_groups: report
                .other_groups
                .as_ref()
                .map(|(count, group)| OtherGroups { turns: group.turns, rest: others(*count, group) }),
        },
    }
}

fn of_group(group: &GroupStats) -> GroupCounts {
    GroupCounts {
        documents: group.documents,
        outcomes: results(&group.outcomes),
        input_bytes: numbers(&group.input),
        output_bytes: numbers(&group.output),
    }
}

fn others(count: usize, group: &GroupStats) -> OtherTools {
    OtherTools {
        count,
        outcomes: results(&group.outcomes),
        input_bytes: numbers(&group.input),
        output_bytes: numbers(&group.output),
    }
}

fn of_failure<'a>(tool_name: Option<&'a str>, kind: &'a str, failure: &'a FailureKind) -> FailureJson<'a> {
    let example = &failure.example;
    FailureJson {
        count: failure.count,
        tool_name,
        kind,
        example: ExampleJson { file: &example.file, line: example.line, error_text: example.text.as_deref() },
    }
}

fn results(outcomes: &OutcomeCounts) -> Results {
    let OutcomeCounts { done, failed, pending, without_call } = *outcomes;
    Results { calls: outcomes.all(), done, failed, pending, without_call }
}

fn numbers(sizes: &SizeHistogram) -> Numbers {
    Numbers { count: sizes.count, sum: sizes.sum, median: sizes.median(), p95: sizes.p95(), max: sizes.max }
}
