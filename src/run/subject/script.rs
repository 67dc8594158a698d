//! The words of a script on a command line that may be paths, as in `sh -c 'cd sub && "./a b.sh"'`.
//!
//! Words are split as by a shell, and `cd` is followed. Nothing is expanded, so this finds files
//! that are named in plain text and no others.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::config::clean;

/// A part of a script.
#[derive(Debug, PartialEq, Eq)]
enum Token {
    Word {
        text: String,
        is_quoted: bool,
    },
    /// An operator or the end of a line.
    Operator(char),
    /// `>>`
    Append,
}

/// The words of `script`, which starts in `folder`, each with the current folder at its place.
/// Output files after `>`, `>>`, `tee` and `tee -a` are excluded.
pub(super) fn words(script: &str, folder: &Path) -> Vec<(PathBuf, String)> {
    let mut words = Vec::new();
    let mut replaced = BTreeSet::new();
    let mut folders = vec![folder.to_owned()];
    let mut before = Token::Operator('\n');
    // Among the words of `tee`: whether it appends.
    let mut tee = None;
    for token in tokens(script) {
        if matches!(token, Token::Operator(operator) if !"<>".contains(operator)) {
            tee = None;
        }
        let current = folders.last().map_or(folder, PathBuf::as_path).to_owned();
        match (&token, &before) {
            (Token::Operator('('), _) => folders.push(current),
            (Token::Operator(')'), _) if folders.len() > 1 => _ = folders.pop(),
            (Token::Word { text, .. }, Token::Operator('>')) => {
                _ = replaced.insert(clean(&current.join(text)))
            }
            (Token::Word { text, .. }, before) if tee.is_some() && *before != Token::Operator('<') => {
                if text.starts_with("--") {
                    tee = tee.map(|appends| appends || text == "--append");
                } else if text.starts_with('-') {
                    tee = tee.map(|appends| appends || text.contains('a'));
                } else if tee == Some(false) {
                    replaced.insert(clean(&current.join(text)));
                }
            }
            (Token::Word { text, is_quoted: false }, Token::Operator(operator))
                if text == "tee" && !"<>".contains(*operator) =>
            {
                tee = Some(false);
            }
            (Token::Word { text, .. }, Token::Word { text: cd, is_quoted: false }) if cd == "cd" => {
                // An option of `cd`: the folder follows.
                if text.starts_with('-') {
                    continue;
                }
                let inner = clean(&current.join(text));
                if let Some(folder) = folders.last_mut().filter(|_| inner.is_dir()) {
                    *folder = inner;
                }
            }
            (Token::Word { .. }, Token::Append) | (Token::Operator(_) | Token::Append, _) => {}
            (Token::Word { text, is_quoted }, _) => {
                if *is_quoted && text.contains(is_end) {
                    words.extend(self::words(text, &current));
                }
                words.push((current, text.clone()));
            }
        }
        before = token;
    }
    words.retain(|(folder, word)| !replaced.contains(&clean(&folder.join(word))));
    words
}

/// True if `character` ends a word that is not quoted.
fn is_end(character: char) -> bool {
    character.is_whitespace() || "`;|&()<>".contains(character)
}

fn tokens(script: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut word: Option<(String, bool)> = None;
    let mut quote = None;
    let mut before = '\n';
    let mut characters = script.chars().peekable();
    while let Some(character) = characters.next() {
        let previous = std::mem::replace(&mut before, character);
        match quote {
            Some(mark) if character == mark => {
                quote = None;
                continue;
            }
            None if "'\"".contains(character) => {
                quote = Some(character);
                word.get_or_insert_default().1 = true;
                continue;
            }
            None if is_end(character) => {
                tokens.extend(word.take().map(|(text, is_quoted)| Token::Word { text, is_quoted }));
                match character {
                    '>' if previous == '>' => {
                        tokens.pop();
                        tokens.push(Token::Append);
                    }
                    // `>|` is `>`; `=>` and `->` are operators of other languages.
                    '|' if previous == '>' => {}
                    '>' if "=-".contains(previous) => {}
                    '\n' => tokens.push(Token::Operator('\n')),
                    _ if character.is_whitespace() => {}
                    _ => tokens.push(Token::Operator(character)),
                }
                continue;
            }
            _ => {}
        }
        let text = &mut word.get_or_insert_default().0;
        match (character, quote) {
            ('\\', None) => text.extend(characters.next()),
            ('\\', Some('"')) => {
                text.push(characters.next_if(|next| "\"\\$`".contains(*next)).unwrap_or('\\'))
            }
            _ => text.push(character),
        }
    }
    tokens.extend(word.map(|(text, is_quoted)| Token::Word { text, is_quoted }));
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_as_by_a_shell() {
        for (script, expected) in [
            ("exec ./run.sh && python main.py", "exec|./run.sh|python|main.py"),
            ("exec \"./my tools/run.sh\"", "exec|./my|tools/run.sh|./my tools/run.sh"),
            ("./my\\ tools/run.sh; 'a'\"b\"c", "./my tools/run.sh|abc"),
            ("sh -c 'sh \"./a b\"'", "sh|-c|sh|./a|b|./a b|sh \"./a b\""),
            ("# don't\nimport './x'", "#|dont|import|./x|dont\nimport ./x"),
            ("./x < in >out 2>err >>log; cat out", "./x|in|2|cat"),
            ("./x >| out 2>&1", "./x|2|1"),
            ("./x | tee a.txt -p \"b c\" < in; cat a.txt d", "./x|in|cat|d"),
            ("./x | tee -ai a.txt | tee --append b; cat a.txt", "./x|cat|a.txt"),
            ("echo tee ./x", "echo|tee|./x"),
            ("f(y => \"./a.js\")", "f|y|=|./a.js"),
            ("", ""),
        ] {
            let words: Vec<_> = words(script, Path::new("/w")).into_iter().map(|(_, word)| word).collect();
            assert_eq!(words.join("|"), expected, "{script}");
        }
    }

    #[test]
    fn folders_are_followed() {
        let made = tempfile::tempdir().expect("a folder");
        let base = made.path();
        std::fs::create_dir_all(base.join("sub/in")).expect("folders");
        for (script, expected) in [
            ("cd sub && ./x", "sub"),
            ("cd -P -- sub/in; ./x", "sub/in"),
            ("(cd sub && y); ./x", ""),
            ("(cd sub; (cd in); ./x)", "sub"),
            ("cd none; ./x", ""),
            ("cd \"sub\"; cd ../sub/in; ./x", "sub/in"),
            ("sh -c 'cd sub; ./x'", "sub"),
            ("cd sub; sh -c 'cd in; ./x'", "sub/in"),
        ] {
            let words = words(script, base);
            let (folder, _) = words.iter().find(|(_, word)| word == "./x").expect("the word");
            assert_eq!(folder, &clean(&base.join(expected)), "{script}");
        }
    }
}
