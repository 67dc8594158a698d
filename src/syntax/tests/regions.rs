//! Regions, as fixtures: `«…»` marks a closed one, `‹…›` an unclosed one.

use super::soup::rules;
use crate::syntax::{Colours, Tree, parse, region_content};
use crate::text::{Span, Text};

/// Parses `marked` without its marks: the regions must equal the marks, and the fences have the
/// info strings `fences`.
fn check(marked: &str, fences: &[&str]) {
    let source = marked.replace(['«', '»', '‹', '›'], "");
    let text = Text::new(&source);
    let tree: Tree = parse(&text, &rules());
    tree.assert_invariants();
    let mut found = String::new();
    let mut at = 0;
    for located in tree.iter() {
        for region in located.segment.regions() {
            let range = located.absolute(region.span);
            let marks = if region.closed { ("«", "»") } else { ("‹", "›") };
            found += &format!("{}{}{}{}", &source[at..range.start], marks.0, &source[range.clone()], marks.1);
            at = range.end;
        }
    }
    assert_eq!(found + &source[at..], marked);
    let info = |index| {
        tree.fence(index).map(|fence| fence.head.info.shifted(fence.range.start).of(&source).to_owned())
    };
    assert_eq!((0..tree.len()).filter_map(info).collect::<Vec<_>>(), fences, "{marked}");
}

#[test]
fn markers() {
    check("say «###: {\"a\": {\"b\": 1}}» and go on\n", &[]);
    check("«###:{}» «###: {}»", &[]);
    check("«###:  \n  {\"a\":\n1}»\n", &[]);
    check("«###:\r\n{\"a\":\r\n1}»\r\nx\r\r\n", &[]);
    check("###:\n\n{}\n", &[]);
    check("####: {}\n", &[]);
    check("### heading\n\n### {}\n", &[]);
    check("«###: {\"a\": \"}\"}» x\n", &[]);
    check("«###: {\"a\": \"\\\"}\"}» x\n", &[]);
    check("«###: {\"a\": \"open\n}» a string ends with its line\n", &[]);
    check("‹###: {\"a\": 1›\n\n}\n", &[]);
    check("‹###: {\"a\": 1›\n```x\nfoo\n```\n", &["x"]);
    check("‹###: {\"a\": 1\n# no heading\n- no list›\n\n# heading\n", &[]);
    check("«###: {\n```x\n# no\n- list\n}»\n", &[]);
    check("«###: {\n```x\n}»\n```y\n", &["y"]);
    check("«###: {\n===\n}» text\n===\n", &[]);
    check("‹###: {›\n```a\n\n}\n```\n", &["a"]);
    check("‹###: {{›\n```a\n```\n‹###: {{›\n```b\n```\n«###: {\n```c\n}» }\n", &["a", "b"]);
    check("‹###: {›\n~~~a\n~~~\n‹###: {›\n~~~b\n~~~\n> ‹###: {›\n> ~~~c\n> ~~~\n", &["a", "b", "c"]);
    check("‹###: {{›\n~~~a\n~~~\nx\n> «###: {\n> ~~~\n> }»\n", &["a"]);
}

#[test]
fn markers_in_containers() {
    check("> «###: {\"a\":\n> 1}» x\n", &[]);
    check("> ‹###: {\"a\":›\n>\n> 1}\n", &[]);
    check("> ‹###: {\"a\":›\n\n1}\n", &[]);
    check("> ‹###: {›\n```x\n", &["x"]);
    check("> «###: {\nlazy}»\n", &[]);
    check("- ‹###: {›\n# ends the item\n  }\n", &[]);
    check("- «###: {\n  # in the item\n  }»\n  ```x\n", &["x"]);
    check("1. a\n   - «###: {\"a\":\n     1}»\n", &[]);
}

#[test]
fn tags() {
    check("«<tool>a(b=1)</tool>» and «<tool>b\nx</tool>»\n", &[]);
    check("«<tool>a\n\n```x\n# b\n- c\n</tool>» d\n```y\n", &["y"]);
    check("«<tool>a\n\n\n</tool>»\n\n«<validation>b\n\nc</validation>»\n", &[]);
    check("«<tool>a\r\n\r\n```\r\n</tool>»\r\n```z\r\n", &["z"]);
    check("«<tool>a\n===\n</tool>» b\n", &[]);
    check("# «<tool>a\n\nb</tool>» c\n", &[]);
    check("«<tool>a <tool>b</tool>» c\n", &[]);
    check("«<tool>`a</tool>» ` b\n", &[]);
    check("«<tool>\na\n</tool>»\n```x\n", &["x"]);
    check("<div>\n«<tool>a\n\nb</tool>»\n```x\n</div>\n\n```y\n", &["y"]);
    check("a «</tool>» b\n", &[]);
    check("«<tool>###: {</tool>» }\n", &[]);
    check("«###: {\"<tool>\": 1}» «</tool>»\n", &[]);
}

#[test]
fn unclosed_tags() {
    check("a ‹<tool>b\nc›\n\nd\n\n```x\n```\n", &["x"]);
    check("‹<tool>a›\n\n«<tool>b</tool>»\n", &[]);
    check("‹<tool>a(›\n«<tool>b</tool>»\n", &[]);
    check("‹<tool>a›\n\n  «<tool>b</tool>»\n", &[]);
    check("‹<tool>a›\n\nx\n\n```x\n<tool>\n```\n«</tool>»\n", &["x"]);
    check("<tool\n\n```x\n</tool\n", &["x"]);
    check("‹<tool>›", &[]);
    check("‹<tool>\na›\n\n```x\n", &["x"]);
    check("a ‹<tool>b›\n# heading\n", &[]);
    check("‹<tool>a›\n- b ‹<tool>c›\n", &[]);
}

#[test]
fn tags_in_containers() {
    check("> «<tool>a\n>\n> ```x\n> </tool>» b\n> ```y\n", &["y"]);
    check("> ‹<tool>a›\n>\n> b\n\n«</tool>»\n", &[]);
    check("> ‹<tool>a\nb›\n\nc «</tool>»\n", &[]);
    check("> «<tool>a\nb</tool>» lazy\n", &[]);
    check("- «<tool>a\n\n  b</tool>»\n- ‹<tool>c›\n- «<tool>d</tool>»\n", &[]);
    check("- ‹<tool>a›\n\nb «</tool>»\n", &[]);
    check("- ‹<tool>a›\n\n- b «</tool>»\n", &[]);
    check("> - ‹<tool>a›\n> - ‹<tool>b›\n> # c «</tool>»\n", &[]);
    check("> ‹<tool>a›\n> «<tool>b</tool>»\n", &[]);
    check("> «<tool>a</tool>» «<validation>b <tool>c</tool></validation>»«<tool>d</tool>» ‹<tool>e›\n", &[]);
    check("> a ‹<tool>b›\n>\n> c ‹<tool>d›\n>\n> «<tool>e</tool>»\n", &[]);
}

#[test]
fn no_regions_in_code_and_comments() {
    check("`<tool>` and `` ###: {} ``\n", &[]);
    check("`a\n<tool>b` c\n", &[]);
    check("` «<tool>a</tool>»\n", &[]);
    check("\\` «<tool>a</tool>» `\n", &[]);
    check("\\<tool>a«</tool>»\n", &[]);
    check("a <!-- <tool> --> «<tool>b</tool>»\n", &[]);
    check("a <!-- <!-- «<tool>b</tool>» <? <tool>c ?> <!--«<tool>d</tool>» <?>\n", &[]);
    check("<!-- <tool>\n\n-->\n«<tool>b</tool>»\n", &[]);
    check("```x\n<tool>a</tool>\n```\n", &["x"]);
    check("    <tool>a</tool>\n", &[]);
    check("a\n\n    ###: {}\n", &[]);
    check("<pre>\n<tool>a</tool>\n</pre>\n", &[]);
    check("<div>\n<!-- <tool> -->\n`«<tool>a</tool>»`\n", &[]);
    check("<a b=\"<tool>\">«<tool>c</tool>»\n", &[]);
}

#[test]
fn lines_and_runs() {
    check("«*🔧 x*» y\nb *🔧 x*\n  «*🔧 z*»\n*🔧 open\n", &[]);
    check("> «*🔧 x*»\n> - «*🔧 y*»\n", &[]);
    check("a\n«✅ **b\nc `d` <tool>e</tool>\n- f\n# g»\n\nh\n", &[]);
    check("«✅ **b»\n```x\n", &["x"]);
    check("> «✅ **b\nlazy»\n>\n> c\n", &[]);
    check("> «✅ **b\n> c»\n# d\n", &[]);
    check("- «✅ **b\n  # c»\n- «*🔧 x*»\n", &[]);
}

/// The text of the region number `wanted` of `source`, and the source of `part` of it in its
/// segment.
fn content(source: &str, wanted: usize, part: &str) -> (String, String) {
    let text = Text::new(source);
    let tree: Tree = parse(&text, &rules());
    let mut regions = tree.iter().flat_map(|located| {
        let (offset, range, parts) = (located.offset, located.content(), located.segment.parts());
        let of_parts = parts.regions().iter();
        of_parts
            .map(move |region| (offset, range.clone(), region.span, parts.containers_of(region)))
            .collect::<Vec<_>>()
    });
    let (offset, range, span, containers) = regions.nth(wanted).unwrap();
    let content = region_content(&source[range], span, containers, Colours::Kept);
    let start = content.text.find(part).unwrap();
    let span = content.to_segment(Span::new(start, start + part.len()));
    (content.text.to_string(), span.shifted(offset).of(source).to_owned())
}

#[test]
fn contents_have_no_prefixes() {
    assert_eq!(
        content("x\n\n> <tool>a\n>\n> b</tool>\n", 0, "b<"),
        ("<tool>a\n\nb</tool>".into(), "b<".into())
    );
    assert_eq!(content("- ###: {\n  \"a\": 1}\n", 0, "\"a\""), ("###: {\n\"a\": 1}".into(), "\"a\"".into()));
    assert_eq!(content("- ###: {\n  \"a\": 1}\n", 0, "{\n"), ("###: {\n\"a\": 1}".into(), "{\n".into()));
    assert_eq!(content("-\t###: {\n \t\t1}\n", 0, "1"), ("###: {\n\t1}".into(), "1".into()));
}

/// A megabyte of input that once took quadratic time, which would be hours.
#[test]
fn many_open_tags_are_parsed_in_linear_time() {
    let pieces = [
        "x <tool>\n\n",
        "> x <tool>\n>\n",
        "<tool>\n</tool>\n# h\n",
        "###: {\n",
        "###: \t",
        "x `<tool>\n",
        "- x <tool>\n\n",
        "`` x ` <tool>",
        "<tool>",
        "</tool>",
    ];
    for piece in pieces {
        let text = Text::new(&piece.repeat(300_000 / piece.len()));
        let tree: Tree = parse(&text, &rules());
        assert_eq!(tree.bytes(), text.len(), "{piece:?}");
    }
}

#[test]
fn closers_may_need_a_line_of_their_own() {
    check("«<use a>\n1 </use>\n\n2</d></use>\n </d></use>» a\n\n«<use b>\n</use>»\n", &[]);
    check("‹<use a> </use>›\n\n«<use b>\nx\n\t</use>»\n", &[]);
    check("> «<use a>\n> </use>»\n\n- ‹<use b>›\n\n</use>\n", &[]);
}

#[test]
fn regions_of_parts_take_labelled_lines_and_code() {
    check("«**Use: a**\n\n**In:**\n```json\n{}\n```\n\n**Out:**\n```\nb\n\n**In:**\n```»\n\ntext\n", &[]);
    check("«**Use: a**»\n\n```\nother\n```\n\n«**Use: b**\n```\nown\n```»\n---\n# h\n", &[""]);
    check("- «**Use: a**\n\n  **Out:** b\n  c»\n\n  d\n\n**In:** e\n", &[]);
    check("«**Use: a**\n\n**In:**»\n```json\nnever closed\n", &["json"]);
    check("«**Use: a**\n\n**In:** 1»\n\n```\nother\n```\n", &[""]);
    check("«**Use: a**\n\n**Out:** 1\n2\n```\nown\n```»\n", &[]);
    check("«**Use: a**»\n``` tool {a\nother\n```\n", &["tool {a"]);
    check("> «## Use: a\n>\n> ```\n> b\n> ```»\n> ## c\n\n## Use: d\n", &[]);
}

#[test]
fn regions_of_paragraphs_may_span_lines() {
    check("«Act: a\nb»\nEnd\n\n«Act: c»\n\nAct\n", &[]);
}

#[test]
fn lines_of_histories_are_regions_in_them_alone() {
    let text = "Read: a\n\n<read>\n```\n</read>\n";
    check(text, &[]);
    let own = "«Read: a»\n\n«<read>\n```\n</read>»\n";
    for start in
        ["<!-- Generated by SpecStory -->\n", "_**User**_\n", "> _**Agent (a)**_\n\n", "_**Assistant**_\n\n"]
    {
        check(&format!("{start}{own}"), &[]);
    }
    for start in
        ["<!-- Generated -->\n", "_**Others**_\n\n", "```\n_**User**_\n```\n\n", "    _**User**_\n\n"]
    {
        let fences = if start.contains('`') { &[""][..] } else { &[] };
        check(&format!("{start}{text}"), fences);
    }
}

#[test]
fn lines_of_aider_end_its_fences() {
    let rules = rules();
    let fences = |source: &str| -> Vec<(bool, String)> {
        let tree: Tree = parse(&Text::new(source), &rules);
        tree.assert_invariants();
        let fence =
            |index| tree.fence(index).map(|fence| (fence.closed, source[fence.range.clone()].to_owned()));
        (0..tree.len()).filter_map(fence).collect()
    };
    let open = |text: &str| (false, text.to_owned());
    let history =
        "# aider chat started at 1\n\n```\na\n> Tokens: 1\n\n~~~\nb\n# aider chat started at 2\n\n```\nc\n";
    assert_eq!(fences(history), [open("```\na\n"), open("~~~\nb\n"), open("```\nc\n")]);
    // Elsewhere, and in a fence that quotes a history, they are lines of code.
    let others = history.replace("# aider", "# another");
    let closed = &others[others.find("```").unwrap()..others.rfind("c\n").unwrap()];
    assert_eq!(fences(&others), [(true, closed.to_owned())]);
    let inside = format!("~~~~\n{history}~~~~\n");
    assert_eq!(fences(&inside), [(true, inside.clone())]);
}
