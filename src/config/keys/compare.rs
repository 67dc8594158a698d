//! Reads `[compare]` and `[redact]`: the rules of `chatls run --compare` and the patterns of
//! `chatls redact`.

use super::{ConfigEntry, KeyReader};
use crate::config::layer::ConfigString;
use crate::config::{CompareRules, RedactSettings};

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

    /// A list of patterns. Invalid ones are errors.
    pub(in crate::config) fn patterns(&mut self, entry: &ConfigEntry<'_>) -> Option<Vec<ConfigString>> {
        let patterns = self.strings(entry)?;
        for pattern in &patterns {
            if let Err(reason) = RedactSettings::pattern(&pattern.text) {
                self.fault(pattern.span.clone(), reason);
            }
        }
        Some(patterns)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;

    #[test]
    fn patterns_are_read() {
        let layer = check(
            "[redact]\npatterns = [\"ACME-[0-9]+\", «\"(\"», «\"x*\"»]\nkeep = [\"a@b.c\"]\n",
            &["`(` is not a regular expression: unclosed group", "`x*` matches the empty text"],
        );
        let texts = |list: Option<Vec<super::ConfigString>>| {
            list.unwrap_or_default().into_iter().map(|it| it.text).collect::<Vec<_>>()
        };
        assert_eq!(texts(layer.redact.patterns), ["ACME-[0-9]+", "(", "x*"]);
        assert_eq!(texts(layer.redact.keep), ["a@b.c"]);
        check("[redact]\n«pattern» = []\n", &["did you mean `patterns`?"]);
    }

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
