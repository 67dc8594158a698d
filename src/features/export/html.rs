//! The HTML page: its frame and style, messages, and expandable batches.

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd};

use super::visible;
use crate::call::{ExpandedToolUse, MessageRole};
use crate::features::transcript::{MessagePart, ToolUseGroup, TranscriptMessage};

/// The content security policy: nothing is loaded, run or sent, whatever the page contains; only
/// its own style applies.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

const STYLE: &str = "
:root{color-scheme:light dark;--page:#ffffff;--text:#1f2328;--dim:#59636e;--line:#d1d9e0;--box:#f6f8fa;--user:#0969da;--assistant:#1a7f37;--system:#8250df;--failed:#c2362c;--pending:#9a6700}
@media (prefers-color-scheme:dark){:root{--page:#0d1117;--text:#e6edf3;--dim:#9198a1;--line:#3d444d;--box:#151b23;--user:#4493f8;--assistant:#3fb950;--system:#ab7df8;--failed:#ff7b72;--pending:#d29922}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:16px/1.55 system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif}
main{max-width:52rem;margin:0 auto;padding:2rem 1.25rem 4rem}
h1.title{font-size:1.1rem;color:var(--dim);font-weight:600;overflow-wrap:anywhere}
.message{margin:1.5rem 0;padding-left:1rem;border-left:3px solid var(--line)}
.message.user{border-color:var(--user)}.message.assistant{border-color:var(--assistant)}.message.system{border-color:var(--system)}
.name{font-size:.85rem;font-weight:700;margin:0 0 .35rem;color:var(--dim);overflow-wrap:anywhere}
.user>.name{color:var(--user)}.assistant>.name{color:var(--assistant)}.system>.name{color:var(--system)}
.text{overflow-wrap:anywhere}.text>:first-child>:first-child{margin-top:0}.text>:last-child>:last-child{margin-bottom:0}
.text li,.text p,.text th,.text td{unicode-bidi:plaintext}
pre code{font-size:1em}
.text h1,.text h2,.text h3{line-height:1.25;margin:1.2em 0 .5em}.text h1{font-size:1.5rem}.text h2{font-size:1.25rem}.text h3{font-size:1.1rem}
pre,code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;font-size:.86em}
pre{background:var(--box);border:1px solid var(--line);border-radius:6px;padding:.75rem;overflow-x:auto}
:not(pre)>code{background:var(--box);border-radius:4px;padding:.1em .3em}
table{border-collapse:collapse;display:block;overflow-x:auto}th,td{border:1px solid var(--line);padding:.3rem .6rem}
blockquote{margin:0;padding-inline-start:1rem;border-inline-start:3px solid var(--line);color:var(--dim)}
a{color:var(--user)}
.tools{margin:.75rem 0;border:1px solid var(--line);border-radius:6px;background:var(--box);overflow-wrap:anywhere}
.tools>summary{cursor:pointer;padding:.45rem .75rem;font-size:.92rem}
.tools[open]>summary{border-bottom:1px solid var(--line)}
.thinking{margin:.75rem 0;color:var(--dim);font-size:.92rem}.thinking>summary{cursor:pointer}
.call{padding:.45rem .75rem}.call+.call{border-top:1px solid var(--line)}
.call>code{background:none;padding:0}
.call>pre{margin:.4rem 0 .2rem;background:var(--page);white-space:pre-wrap}
.more{color:var(--dim);font-size:.85rem}
.failed>code,.failed>.mark,.bad{color:var(--failed)}.pending>.mark{color:var(--pending)}
";

/// The beginning of a page with this title.
pub fn begin(title: &str) -> String {
    let (heading, title) = (heading(title), escaped(title));
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n<meta name=\"generator\" content=\"chatls\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n{heading}"
    )
}

/// The heading of one document among several on a page.
pub fn heading(name: &str) -> String {
    format!("<h1 class=\"title\">{}</h1>\n", escaped(name))
}

/// The end of every page.
pub fn end() -> String {
    "</main>\n</body>\n</html>\n".to_owned()
}

/// Messages as HTML.
pub fn body(messages: &[TranscriptMessage]) -> String {
    messages.iter().map(message).collect()
}

fn message(message: &TranscriptMessage) -> String {
    let role = match message.role {
        Some(MessageRole::User) => " user",
        Some(MessageRole::Assistant) => " assistant",
        Some(MessageRole::System) => " system",
        Some(MessageRole::Other) | None => "",
    };
    let mut html = format!("<section class=\"message{role}\">\n");
    let name = message.heading();
    if !name.is_empty() {
        html.push_str(&format!("<h2 class=\"name\" dir=\"auto\">{}</h2>\n", escaped(name)));
    }
    for item in &message.items {
        match item {
            MessagePart::Text(content, _) if content.trim().is_empty() => {}
            MessagePart::Text(content, _) => {
                html.push_str(&format!("<div class=\"text\">\n{}</div>\n", text(content)))
            }
            MessagePart::Thinking(content, _) => {
                let content = text(content);
                html.push_str(&format!(
                    "<details class=\"thinking\">\n<summary>Thinking</summary>\n<div class=\"text\">\n{content}</div>\n</details>\n"
                ));
            }
            MessagePart::Tools(used) => html.push_str(&tools(used)),
        }
    }
    html + "</section>\n"
}

fn tools(tools: &ToolUseGroup) -> String {
    let class = if tools.counts.failed > 0 { " class=\"bad\"" } else { "" };
    let entries: String = tools.entries.iter().map(entry).collect();
    let label = escaped(&tools.label);
    format!("<details class=\"tools\" dir=\"ltr\">\n<summary{class}>{label}</summary>\n{entries}</details>\n")
}

fn entry(entry: &ExpandedToolUse) -> String {
    let (class, mark) = (entry.status.name(), entry.mark());
    let call = escaped(&entry.call);
    let mut html =
        format!("<div class=\"call {class}\"><code>{call}</code><span class=\"mark\">{mark}</span>");
    if entry.is_inline {
        html.push_str(&format!(" {}", escaped(&entry.result)));
    } else {
        html.push_str(&format!("\n<pre>\n{}</pre>", escaped(&entry.result)));
    }
    if let Some(more) = &entry.more {
        html.push_str(&format!("<div class=\"more\">{}</div>", escaped(more)));
    }
    html + "</div>\n"
}

/// Markdown as HTML. Raw HTML becomes text, images become their descriptions, and links that do not
/// lead to the web lose their target. Each block has the direction of its own text, code is left to
/// right.
fn text(markdown: &str) -> String {
    let markdown = visible(markdown);
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut links = Vec::new();
    let mut depth = 0;
    let events = Parser::new_ext(&markdown, options).flat_map(|event| {
        let [before, after] = directed(&event, &mut depth);
        [before, tamed(event, &mut links), after].into_iter().flatten()
    });
    let mut html = String::new();
    pulldown_cmark::html::push_html(&mut html, events);
    html
}

/// The tags around `event` that give a block its direction: left to right for code, and for other
/// outermost blocks the direction of their text. `depth` is the number of open blocks.
fn directed(event: &Event<'_>, depth: &mut usize) -> [Option<Event<'static>>; 2] {
    let tag = |tag: &'static str| Some(Event::Html(CowStr::Borrowed(tag)));
    match event {
        Event::Start(started) => {
            *depth += 1;
            match started {
                Tag::CodeBlock(_) => [tag("<div dir=\"ltr\">\n"), None],
                _ if *depth == 1 => [tag("<div dir=\"auto\">\n"), None],
                _ => [None, None],
            }
        }
        Event::End(ended) => {
            *depth = depth.saturating_sub(1);
            let is_block = *depth == 0 || *ended == TagEnd::CodeBlock;
            [None, is_block.then(|| tag("</div>\n")).flatten()]
        }
        _ => [None, None],
    }
}

/// An event without anything active. `links` stores for each open link whether it has a target.
fn tamed<'a>(event: Event<'a>, links: &mut Vec<bool>) -> Option<Event<'a>> {
    Some(match event {
        Event::Html(raw) | Event::InlineHtml(raw) => Event::Text(raw),
        Event::Code(code) => Event::InlineHtml(format!("<code dir=\"ltr\">{}</code>", escaped(&code)).into()),
        Event::Start(Tag::HtmlBlock) => Event::Start(Tag::Paragraph),
        Event::End(TagEnd::HtmlBlock) => Event::End(TagEnd::Paragraph),
        Event::Start(Tag::Image { .. }) => Event::Text(CowStr::Borrowed("[image: ")),
        Event::End(TagEnd::Image) => Event::Text(CowStr::Borrowed("]")),
        Event::Start(Tag::Link { ref dest_url, .. }) => {
            let leads = is_of_web(dest_url);
            links.push(leads);
            return leads.then_some(event);
        }
        Event::End(TagEnd::Link) => return (links.pop() == Some(true)).then_some(event),
        other => other,
    })
}

fn is_of_web(url: &str) -> bool {
    let url = url.trim().to_ascii_lowercase();
    ["https://", "http://", "mailto:"].iter().any(|scheme| url.starts_with(scheme))
}

/// `text` as the content of an element, or of a quoted attribute.
fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for character in visible(text).chars() {
        match character {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            other => html.push(other),
        }
    }
    html
}
