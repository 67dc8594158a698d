//! Losses of conversions in words: `drops 3 ids and 1 error status; changes 2 inputs`.

use std::collections::BTreeMap;

use crate::convert::ConversionLoss;

/// The losses of one tool use: `drops the id; changes the input`. Empty if there are none.
pub fn of_one(losses: &[ConversionLoss]) -> String {
    let name_of = |loss: &ConversionLoss| match loss {
        ConversionLoss::Input => "the input".to_owned(),
        ConversionLoss::Output => "the output".to_owned(),
        loss => loss.to_string(),
    };
    joined(losses.iter().map(|loss| (loss.is_change(), name_of(loss))))
}

/// The losses of several tool uses, with the number of each: `drops 3 ids`. Empty if there are
/// none.
pub fn of_several(losses: &BTreeMap<ConversionLoss, usize>) -> String {
    joined(losses.iter().map(|(loss, count)| (loss.is_change(), counted(loss, *count))))
}

fn counted(loss: &ConversionLoss, count: usize) -> String {
    let plural = |one: &str, several: &str| format!("{count} {}", if count == 1 { one } else { several });
    match loss {
        ConversionLoss::Id => plural("id", "ids"),
        ConversionLoss::State(state) => plural(&format!("`{state}` state"), &format!("`{state}` states")),
        ConversionLoss::Failure => plural("error status", "error statuses"),
        ConversionLoss::Arguments => plural("list of unnamed arguments", "lists of unnamed arguments"),
        ConversionLoss::Input => plural("input", "inputs"),
        ConversionLoss::Output | ConversionLoss::AllOutput => plural("output", "outputs"),
        ConversionLoss::ErrorText => plural("error text", "error texts"),
        ConversionLoss::Field(name) => plural(&format!("`{name}` field"), &format!("`{name}` fields")),
        ConversionLoss::Pieces => format!("the deltas of {}", plural("input", "inputs")),
    }
}

/// Formats `drops A, B and C; changes D` from pairs of a loss and whether it is only a change.
fn joined(losses: impl Iterator<Item = (bool, String)>) -> String {
    let (changed, dropped): (Vec<_>, Vec<_>) = losses.partition(|(is_change, _)| *is_change);
    let list = |verb: &str, losses: Vec<(bool, String)>| {
        let words: Vec<String> = losses.into_iter().map(|(_, words)| words).collect();
        match words.as_slice() {
            [] => None,
            [one] => Some(format!("{verb} {one}")),
            [rest @ .., last] => Some(format!("{verb} {} and {last}", rest.join(", "))),
        }
    };
    [list("drops", dropped), list("changes", changed)].into_iter().flatten().collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_are_counted() {
        let field = || ConversionLoss::Field("note".to_owned());
        let counts = BTreeMap::from([
            (ConversionLoss::Id, 3),
            (ConversionLoss::Failure, 1),
            (field(), 2),
            (ConversionLoss::Input, 2),
        ]);
        let words = "drops 3 ids, 1 error status and 2 `note` fields; changes 2 inputs";
        assert_eq!(of_several(&counts), words);
        assert_eq!(of_several(&BTreeMap::from([(ConversionLoss::Output, 1)])), "changes 1 output");
        assert_eq!(of_several(&BTreeMap::new()), "");
        let one = [ConversionLoss::Id, ConversionLoss::Failure, ConversionLoss::Output];
        assert_eq!(of_one(&one), "drops the id and the error status; changes the output");
        assert_eq!(of_one(&[]), "");
    }
}
