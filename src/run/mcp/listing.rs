//! The tools of a server, from the pages of `tools/list`.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::{ServerIdentity, cut};
use crate::run::{Limits, RunError, RunErrorKind};

/// The tools of a server.
#[derive(Clone, Debug, PartialEq)]
pub struct Listing {
    /// The server.
    pub server: ServerIdentity,
    /// The tools, in the order of the server; of two tools with one name the first.
    pub tools: Vec<ListedTool>,
    /// The faults of the list, for users. It may quote the server.
    pub problems: Vec<String>,
}

/// A tool of a server.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedTool {
    /// The name.
    pub name: String,
    /// True if the server says that the tool changes nothing (`readOnlyHint`).
    pub is_read_only: bool,
    /// The tool as MCP describes it.
    pub definition: Map<String, Value>,
}

impl Listing {
    /// The listing as a file: a `tools/list` result of MCP, with the server beside it.
    pub fn to_text(&self) -> String {
        let tools: Vec<_> = self.tools.iter().map(|tool| Value::Object(tool.definition.clone())).collect();
        let server = json!({"name": self.server.name, "version": self.server.version});
        format!("{:#}\n", json!({"server": server, "tools": tools}))
    }

    /// The tool with the name `name`.
    pub fn tool(&self, name: &str) -> Option<&ListedTool> {
        self.tools.iter().find(|tool| tool.name == name)
    }
}

/// Collects the pages of a listing.
#[derive(Debug)]
pub(super) struct ListingReader<'l> {
    listing: Listing,
    limits: &'l Limits,
    names: BTreeSet<String>,
    cursors: BTreeSet<String>,
    cursor: Option<String>,
    pages: usize,
    bytes: usize,
}

impl<'l> ListingReader<'l> {
    pub fn new(server: ServerIdentity, limits: &'l Limits) -> Self {
        let listing = Listing { server, tools: Vec::new(), problems: Vec::new() };
        let (names, cursors) = (BTreeSet::new(), BTreeSet::new());
        Self { listing, limits, names, cursors, cursor: None, pages: 0, bytes: 0 }
    }

    /// The cursor of the next page; `None` for the first one.
    pub fn cursor(&self) -> Option<&str> {
        self.cursor.as_deref()
    }

    /// Adds a page. Returns whether there are more.
    ///
    /// # Errors
    ///
    /// If it is not a page, or the list never ends.
    pub fn add(&mut self, page: &Value) -> Result<bool, RunError> {
        let wrong = |message: String| RunError::new(RunErrorKind::Protocol, message);
        let Some(tools) = page["tools"].as_array() else {
            return Err(wrong("its answer to `tools/list` has no `tools`".to_owned()));
        };
        self.pages += 1;
        self.bytes += page.to_string().len();
        for tool in tools {
            self.add_tool(tool);
        }
        let Limits { pages, tools, listing, .. } = self.limits;
        if self.names.len() > *tools {
            return Err(wrong(format!("it lists more than {tools} tools")));
        }
        if self.bytes > *listing {
            return Err(wrong(format!("its list of tools has more than {} MiB", listing >> 20)));
        }
        let Some(next) = page["nextCursor"].as_str() else { return Ok(false) };
        if !self.cursors.insert(next.to_owned()) {
            return Err(wrong(format!("its list of tools never ends: the page `{}` comes again", cut(next))));
        }
        if self.pages == *pages {
            return Err(wrong(format!("its list of tools has more than {pages} pages")));
        }
        self.cursor = Some(next.to_owned());
        Ok(true)
    }

    pub fn finish(self) -> Listing {
        self.listing
    }

    fn add_tool(&mut self, tool: &Value) {
        let definition =
            tool.as_object().filter(|tool| !tool["name"].as_str().unwrap_or_default().is_empty());
        let Some(definition) = definition else {
            self.listing.problems.push("a tool of its list has no name".to_owned());
            return;
        };
        let name = definition["name"].as_str().unwrap_or_default().to_owned();
        if !self.names.insert(name.clone()) {
            self.listing.problems.push(format!("it lists two tools `{}`: the first counts", cut(&name)));
            return;
        }
        let is_read_only = tool["annotations"]["readOnlyHint"].as_bool().unwrap_or_default();
        self.listing.tools.push(ListedTool { name, is_read_only, definition: definition.clone() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pages: &[Value], limits: &Limits) -> Result<Listing, RunError> {
        let mut reader = ListingReader::new(ServerIdentity::default(), limits);
        for page in pages {
            if !reader.add(page)? {
                break;
            }
        }
        Ok(reader.finish())
    }

    #[test]
    fn pages_are_joined_and_bounded() {
        let limits = Limits { pages: 3, tools: 2, listing: 200, ..Limits::default() };
        let page = |name: &str, next: &str| json!({"tools": [{"name": name}], "nextCursor": next});
        let last = |name: &str| json!({"tools": [{"name": name}]});
        let listing = read(&[page("a", "1"), last("b")], &limits).expect("a listing");
        assert_eq!(listing.tools.iter().map(|tool| tool.name.as_str()).collect::<Vec<_>>(), ["a", "b"]);
        for (pages, expected) in [
            (vec![page("a", "1"), page("a", "1")], "never ends"),
            (vec![page("a", "1"), page("a", "2"), page("a", "3")], "more than 3 pages"),
            (vec![page("a", "1"), page("b", "2"), page("c", "3")], "more than 2 tools"),
            (vec![json!({"tools": [{"name": "a", "description": "x".repeat(200)}]})], "MiB"),
            (vec![json!({"tools": {}})], "has no `tools`"),
            (vec![json!({})], "has no `tools`"),
        ] {
            let message = read(&pages, &limits).expect_err("an error").message;
            assert!(message.contains(expected), "{message}");
        }
    }

    #[test]
    fn bad_tools_are_left_out() {
        let read_only = json!({"name": "b", "annotations": {"readOnlyHint": true}});
        let page = json!({"tools": [{"name": "a"}, 3, {"name": ""}, {"name": "a", "title": "2"}, read_only]});
        let listing = read(&[page], &Limits::default()).expect("a listing");
        assert_eq!(listing.tools.len(), 2);
        assert!(listing.tool("b").is_some_and(|tool| tool.is_read_only));
        assert!(listing.tool("a").is_some_and(|tool| !tool.definition.contains_key("title")));
        assert_eq!(listing.problems.len(), 3, "{:?}", listing.problems);
        let text = listing.to_text();
        let source = crate::registry::read_source(&text, "x");
        assert_eq!((source.tools.len(), source.problems.len()), (2, 0), "{text}");
    }
}
