//! `explain`: what it prints and how it ends.

use super::run::Folder;

#[test]
fn a_code_has_a_page_and_a_misspelled_one_a_hint() {
    let folder = Folder::new("explain", &[]);
    std::fs::create_dir_all(&folder.path).unwrap();
    let page = folder.run(&["explain", "bad-state"]);
    assert!(page.stdout.starts_with("# bad-state\n") && page.status == 0, "{}", page.stdout);
    let list = folder.run(&["explain"]);
    assert!(list.stdout.lines().any(|line| line.starts_with("unknown-tool       error")), "{}", list.stdout);
    let expected = "error: there is no code `bad-sate`; did you mean `bad-state`?";
    folder.run(&["explain", "bad-sate"]).check(2, "", expected);
}
