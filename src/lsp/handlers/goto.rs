//! `textDocument/definition`, `…/declaration` and `…/implementation`: navigation to calls, results,
//! tools in their registries, and the pages of codes.

use std::ops::Range;

use serde::Serialize;

use crate::config::{NamedInConfig, name_at};
use crate::diagnostic::Code;
use crate::document::Document;
use crate::features::goto;
use crate::features::goto::{GotoLinks, GotoTarget};
use crate::text::Text;

use crate::lsp::conversions::locations::{PositionParams, WireLocation, lsp_range};
use crate::lsp::conversions::tool_locations;
use crate::lsp::request::{ActiveRequest, HandlerResult};
use crate::lsp::snapshot::Snapshot;
use crate::lsp::wire::document_uri::{file_path, file_uri};
use crate::lsp::workspace::settings::is_config;

/// LSP 3.17, `LocationLink`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct WireLocationLink {
    #[serde(skip_serializing_if = "Option::is_none")]
    origin_selection_range: Option<lsp_types::Range>,
    target_uri: String,
    target_range: lsp_types::Range,
    target_selection_range: lsp_types::Range,
}

/// Handles `textDocument/definition`.
pub fn definition(params: PositionParams, request: &ActiveRequest) -> HandlerResult {
    goto_links(goto::definition, &params, request.client.definition_links, request)
}

/// Handles `textDocument/declaration`.
pub fn declaration(params: PositionParams, request: &ActiveRequest) -> HandlerResult {
    goto_links(goto::declaration, &params, request.client.declaration_links, request)
}

/// Handles `textDocument/implementation`.
pub fn implementation(params: PositionParams, request: &ActiveRequest) -> HandlerResult {
    goto_links(goto::implementation, &params, request.client.implementation_links, request)
}

/// The response with the targets that `find` finds, or of the configuration at the position.
fn goto_links(
    find: fn(&Document, usize) -> Option<GotoLinks>,
    params: &PositionParams,
    takes_links: bool,
    request: &ActiveRequest,
) -> HandlerResult {
    let at = request.byte(params.position);
    let links = match find(&request.document, at) {
        Some(GotoLinks::Here { origin, targets }) => {
            let here = (&**request.uri.spelling(), request.text());
            let of_one = |target: &GotoTarget| link(request, origin.as_ref(), here, target);
            targets.iter().map(of_one).collect()
        }
        Some(GotoLinks::Tool { origin, name }) => Vec::from_iter(to_tool(request, &origin, &name)),
        Some(GotoLinks::Code { origin, code }) => Vec::from_iter(to_page(request, &origin, code)),
        None => Vec::from_iter(from_config(request, at)),
    };
    if takes_links {
        return request.respond(links);
    }
    let location =
        |link: WireLocationLink| WireLocation { uri: link.target_uri, range: link.target_selection_range };
    request.respond(links.into_iter().map(location).collect::<Vec<_>>())
}

/// The link to the declaration of a tool in a registry of the document.
fn to_tool(snapshot: &Snapshot, origin: &Range<usize>, name: &str) -> Option<WireLocationLink> {
    let tool = snapshot.document.settings().registry.tools.get(name)?;
    let registry = tool_locations::declared(snapshot, tool)?;
    let declaration = registry.places.last()?;
    let target = GotoTarget { range: declaration.range.clone(), selection: declaration.written.clone() };
    Some(link(snapshot, Some(origin), (&registry.uri, &registry.text), &target))
}

/// The link from an item of a `chatls.toml`: from a source to its file, from a code to its page.
fn from_config(snapshot: &Snapshot, at: usize) -> Option<WireLocationLink> {
    let uri = Some(&snapshot.uri).filter(|uri| is_config(uri))?;
    let (origin, name) = name_at(&snapshot.text().to_string(), at)?;
    match name {
        NamedInConfig::Code(code) => to_page(snapshot, &origin, code),
        NamedInConfig::Source(source) => {
            let target = match source.strip_prefix("preset:") {
                Some(name) => snapshot.pages.preset(name)?.to_owned(),
                None => {
                    let path = file_path(uri)?.parent()?.join(&source);
                    file_uri(&path).filter(|_| path.is_file())?.into()
                }
            };
            Some(to_file(snapshot, &origin, &target))
        }
    }
}

/// The link to the page of a code.
fn to_page(snapshot: &Snapshot, origin: &Range<usize>, code: Code) -> Option<WireLocationLink> {
    snapshot.pages.prepare();
    Some(to_file(snapshot, origin, snapshot.pages.uri(code)?))
}

/// The link to the beginning of a file.
fn to_file(snapshot: &Snapshot, origin: &Range<usize>, uri: &str) -> WireLocationLink {
    let start = GotoTarget { range: 0..0, selection: 0..0 };
    link(snapshot, Some(origin), (uri, &Text::default()), &start)
}

/// A link from `origin` of the document to a range in the text of a URI.
fn link(
    snapshot: &Snapshot,
    origin: Option<&Range<usize>>,
    (uri, text): (&str, &Text),
    target: &GotoTarget,
) -> WireLocationLink {
    let encoding = snapshot.client.encoding;
    WireLocationLink {
        origin_selection_range: origin.map(|range| snapshot.range(range)),
        target_uri: uri.to_owned(),
        target_range: lsp_range(text, &target.range, encoding),
        target_selection_range: lsp_range(text, &target.selection, encoding),
    }
}
