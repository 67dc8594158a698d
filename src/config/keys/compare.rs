//! Reads `[compare]`: the rules of `chatls run --compare`.

use super::{ConfigEntry, KeyReader};
use crate::config::CompareRules;
use crate::config::layer::ConfigString;

impl KeyReader {
    /// A list of rules; those that `add` does not accept are errors. They are kept, so that no
    /// comparison passes or fails without them.
    pub(in crate::config) fn rules(
        &mut self,
        entry: &ConfigEntry<'_>,
        add: fn(&mut CompareRules, &str) -> Result<(), String>,
    ) -> Option<Vec<ConfigString>> {
        let rules = self.strings(entry)?;
        for rule in &rules {
            if let Err(reason) = add(&mut CompareRules::default(), &rule.text) {
                self.fault(rule.span.clone(), reason);
            }
        }
        Some(rules)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;

    #[test]
    fn rules_are_those_of_the_options() {
        let layer = check(
            "[compare]\nignore = [\"$..time\", «\"time\"», \"search:$.took\"]\n\
             match = [\"$.id=/^[0-9a-f]+$/\", «\"$.n=numbr\"»]\nmask = «\"(\"»\n",
            &[
                "`time` is not a JSONPath",
                "`numbr` is not a type; did you mean `number`?",
                "`(` is not a regular expression: unclosed group",
            ],
        );
        let texts = |rules: Option<Vec<super::ConfigString>>| {
            rules.unwrap_or_default().into_iter().map(|rule| rule.text).collect::<Vec<_>>()
        };
        assert_eq!(texts(layer.compare.ignored), ["$..time", "time", "search:$.took"]);
        assert_eq!(texts(layer.compare.accepted), ["$.id=/^[0-9a-f]+$/", "$.n=numbr"]);
        assert_eq!(texts(layer.compare.masks), ["("]);
        check("[compare]\n«ignor» = []\nmask = «1»\n", &["did you mean `ignore`?", "a list of strings"]);
    }
}
