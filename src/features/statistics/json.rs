//! Statistics as one object, for programs. All keys are always present; missing values are null.

use serde_json::{Value, json};

use super::counts::{GroupStats, OutcomeCounts};
use super::failures::FailureKind;
use super::groups::GroupBy;
use super::report::StatsReport;
use super::sizes::SizeHistogram;

/// `report` as an object.
pub fn object(report: &StatsReport<'_>) -> Value {
    let counts = report.counts;
    let documents = json!({
        "count": counts.documents.count,
        "withCalls": counts.calls.count,
        "bytes": numbers(&counts.documents),
        "calls": numbers(&counts.calls),
    });
    let dialects = counts.dialects.iter();
    let dialects: Value =
        dialects.map(|(dialect, of)| joined([json!({"dialect": dialect}), outcomes(of)])).collect();
    let failures: Value = report.failures.iter().map(|(tool, kind, it)| failure(*tool, kind, it)).collect();
    joined([
        json!({"documents": documents}),
        outcomes(&counts.outcomes),
        json!({"batches": numbers(&counts.batches), "dialects": dialects}),
        groups(report),
        json!({"failures": failures, "otherFailures": report.other_failures}),
    ])
}

/// The groups: tools, or other groups with the number of their turns.
fn groups(report: &StatsReport<'_>) -> Value {
    let by = report.counts.by;
    let name_of = |name: Option<&str>, group: &GroupStats| match by {
        GroupBy::Tool => json!({"toolName": name}),
        _ => json!({"name": name, "turns": group.turns}),
    };
    let one = |(name, group): &(Option<&str>, &GroupStats)| {
        joined([name_of(*name, group), json!({"documents": group.documents}), counts_of(group)])
    };
    let turns_of = |group: &GroupStats| match by {
        GroupBy::Tool => json!({}),
        _ => json!({"turns": group.turns}),
    };
    let others = report
        .other_groups
        .as_ref()
        .map(|(count, group)| joined([turns_of(group), json!({"count": count}), counts_of(group)]));
    let all: Value = report.groups.iter().map(one).collect();
    match by {
        GroupBy::Tool => json!({"tools": all, "otherTools": others}),
        _ => json!({"by": by.name(), "groups": all, "otherGroups": others}),
    }
}

fn counts_of(group: &GroupStats) -> Value {
    let bytes = json!({"inputBytes": numbers(&group.input), "outputBytes": numbers(&group.output)});
    joined([outcomes(&group.outcomes), bytes])
}

fn failure(tool: Option<&str>, kind: &str, failure: &FailureKind) -> Value {
    let example = &failure.example;
    json!({
        "count": failure.count,
        "toolName": tool,
        "kind": kind,
        "example": {"file": example.file, "line": example.line, "errorText": example.text},
    })
}

fn outcomes(outcomes: &OutcomeCounts) -> Value {
    let OutcomeCounts { done, failed, pending, without_call } = *outcomes;
    let calls = outcomes.all();
    json!({"calls": calls, "done": done, "failed": failed, "pending": pending, "withoutCall": without_call})
}

fn numbers(sizes: &SizeHistogram) -> Value {
    let SizeHistogram { count, sum, max, .. } = sizes;
    json!({"count": count, "sum": sum, "median": sizes.median(), "p95": sizes.p95(), "max": max})
}

/// One object with the members of all `objects`.
fn joined<const N: usize>(objects: [Value; N]) -> Value {
    let members = objects.into_iter().filter_map(|object| match object {
        Value::Object(members) => Some(members),
        _ => None,
    });
    Value::Object(members.flatten().collect())
}
