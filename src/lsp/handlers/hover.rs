//! `textDocument/hover`.

use lsp_types::{Hover, HoverContents};

#[cfg(feature = "run")]
use serde_json::json;

#[cfg(feature = "run")]
use crate::features::hover;
use crate::features::hover::hover as hover_of;

#[cfg(feature = "run")]
use crate::lsp::conversions::command_arguments::{CommandArgument, PULL_TOOLS};
use crate::lsp::conversions::locations::PositionParams;
use crate::lsp::conversions::markup::markup;
use crate::lsp::handlers::config_file;
use crate::lsp::request::{ActiveRequest, HandlerResult};
#[cfg(feature = "run")]
use crate::lsp::snapshot::Snapshot;
use crate::lsp::workspace::settings::is_config;
#[cfg(feature = "run")]
use crate::run::offers::servers_to_ask_at;

/// Handles `textDocument/hover`.
pub fn hover(params: PositionParams, request: &ActiveRequest) -> HandlerResult {
    let at = request.byte(params.position);
    let found = match is_config(&request.uri) {
        true => config_file::hover(request.text(), at),
        false => hover_of(&request.document, at),
    };
    #[cfg(feature = "run")]
    let found = found.map(|hover| with_links(hover, request, at));
    let found = found.map(|found| Hover {
        contents: HoverContents::Markup(markup(&found.prose, request.client.markdown)),
        range: Some(request.range(&found.range)),
    });
    request.respond(found)
}

/// The hover of a call with an unknown tool, with links that ask servers for their tools.
#[cfg(feature = "run")]
fn with_links(hover: hover::Hover, snapshot: &Snapshot, at: usize) -> hover::Hover {
    if !snapshot.client.command_links || !snapshot.client.runs() {
        return hover;
    }
    let link = |server: String| {
        let arguments = json!([CommandArgument::for_server(snapshot, server.clone())]).to_string();
        let arguments: String = url::form_urlencoded::byte_serialize(arguments.as_bytes()).collect();
        let arguments = arguments.replace('+', "%20");
        format!("[Ask {server} for its tools](command:{PULL_TOOLS}?{arguments})")
    };
    let links: Vec<_> = servers_to_ask_at(&snapshot.document, at).into_iter().map(link).collect();
    hover::Hover { prose: hover.prose.text(links.join(" · ")), ..hover }
}
