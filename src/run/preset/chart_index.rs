//! The index of charts that `latest_subchart_version` asks: the search of Artifact Hub.
//!
//! The address comes from the user's settings, never from the workspace.

use std::time::Duration;

use serde_json::Value;
use tokio::runtime::Handle;
use url::Url;

use crate::run::Environment;
use crate::run::http_client::http_client;

/// Maximum number of charts that a search returns.
const MOST_FOUND: &str = "60";
/// Time for an answer.
const ANSWER: Duration = Duration::from_secs(30);
/// Maximum size of an answer, in bytes.
const LARGEST: usize = 4 << 20;

/// The reason why there is no index.
pub const NO_CHARTS: &str =
    "no index of charts is named in your own settings, and a workspace cannot name one";

/// Gets the body of the successful answer to a GET request, or the reason why there is none.
pub type GetAnswer = dyn Fn(&Url) -> Result<String, String> + Send + Sync;

/// An index of charts.
pub struct ChartIndex {
    /// The address, such as `https://artifacthub.io`.
    pub address: String,
    /// Asks the index.
    pub get: Box<GetAnswer>,
}

impl ChartIndex {
    /// The index at `address`, over HTTP. It is asked on a thread for blocking work of a runtime. A
    /// variable of `environment` may name a proxy.
    pub fn at(address: String, environment: Environment) -> Self {
        let get = move |url: &Url| {
            let runtime = Handle::try_current().map_err(|error| error.to_string())?;
            let answer =
                runtime.block_on(async { tokio::time::timeout(ANSWER, get(url, &environment)).await });
            answer.unwrap_or_else(|_| Err(format!("no answer within {} s", ANSWER.as_secs())))
        };
        Self { address, get: Box::new(get) }
    }

    /// The version of `chart`; `None` if the index has no such chart. Blocks.
    ///
    /// # Errors
    ///
    /// The reason, in words.
    pub fn version(&self, chart: &str) -> Result<Option<String>, String> {
        let answer = (self.get)(&search_url(&self.address, chart)?);
        let answer = answer.map_err(|reason| format!("the index of charts at {}: {reason}", self.address))?;
        version_in_search(&answer, chart)
    }
}

/// The address of the search for `chart` in the index at `address`. The error is that this is none.
fn search_url(address: &str, chart: &str) -> Result<Url, String> {
    let base = format!("{}/", address.trim_end_matches('/'));
    let url = Url::parse(&base).and_then(|base| base.join("api/v1/packages/search"));
    let mut url = url.map_err(|error| format!("`{address}` is not an address: {error}"))?;
    let query = [("kind", "0"), ("ts_query_web", chart), ("sort", "relevance"), ("limit", MOST_FOUND)];
    url.query_pairs_mut().extend_pairs(query);
    Ok(url)
}

/// The version of `chart` in the answer to a search: of the packages with exactly this name, the
/// official one, or else the one of a verified publisher, or else the first. The error is that the
/// answer is not the result of a search.
fn version_in_search(answer: &str, chart: &str) -> Result<Option<String>, String> {
    let unreadable = || "the index of charts gave an answer that is not a list of packages".to_owned();
    let answer: Value = serde_json::from_str(answer).map_err(|_| unreadable())?;
    let packages = answer.get("packages").and_then(Value::as_array).ok_or_else(unreadable)?;
    let named = packages.iter().filter(|package| {
        let name = package.get("name").and_then(Value::as_str);
        name.is_some_and(|name| name.eq_ignore_ascii_case(chart))
    });
    let flag = |package: &Value, name: &str| {
        let of_repository = package.get("repository").and_then(|repository| repository.get(name));
        [package.get(name), of_repository].into_iter().flatten().any(|flag| flag == true)
    };
    let rank = |package: &&Value| match () {
        () if flag(package, "official") => 0,
        () if flag(package, "verified_publisher") => 1,
        () => 2,
    };
    let best = named.min_by_key(rank);
    Ok(best.and_then(|package| package.get("version")?.as_str()).map(str::to_owned))
}

async fn get(url: &Url, environment: &Environment) -> Result<String, String> {
    let in_words = |error: reqwest::Error| error.without_url().to_string();
    let client = http_client(url, environment).map_err(in_words)?;
    let mut answer = client.get(url.clone()).send().await.map_err(in_words)?;
    if !answer.status().is_success() {
        return Err(format!("the answer is {}", answer.status()));
    }
    let mut body = Vec::new();
    while let Some(part) = answer.chunk().await.map_err(in_words)? {
        body.extend_from_slice(&part);
        if body.len() > LARGEST {
            return Err(format!("the answer is larger than {} MiB", LARGEST >> 20));
        }
    }
    String::from_utf8(body).map_err(|_| "the answer is not UTF-8".to_owned())
}
