//! The index of charts that `latest_subchart_version` asks: the search of Artifact Hub.
//!
//! The address comes from the user's settings, never from the workspace.

use serde_json::Value;
use url::Url;

/// Maximum number of charts that a search returns.
const MOST_FOUND: &str = "60";

/// Access to an index of charts.
pub trait ChartIndex: Send + Sync {
    /// The address of the index, such as `https://artifacthub.io`.
    ///
    /// # Errors
    ///
    /// The user has not named one.
    fn address(&self) -> Result<&str, String>;

    /// The body of the successful answer to a GET request.
    ///
    /// # Errors
    ///
    /// The reason, in words.
    fn get(&self, url: &Url) -> Result<String, String>;
}

/// No index: the user has not named an address.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoChartIndex;

impl ChartIndex for NoChartIndex {
    fn address(&self) -> Result<&str, String> {
        Err("no index of charts is named in your own settings, and a workspace cannot name one".to_owned())
    }

    fn get(&self, _: &Url) -> Result<String, String> {
        self.address().map(str::to_owned)
    }
}

/// The address of the search for `chart` in the index at `address`.
///
/// # Errors
///
/// `address` is no URL.
pub fn search_url(address: &str, chart: &str) -> Result<Url, String> {
    let base = format!("{}/", address.trim_end_matches('/'));
    let url = Url::parse(&base).and_then(|base| base.join("api/v1/packages/search"));
    let mut url = url.map_err(|error| format!("`{address}` is not an address: {error}"))?;
    let query = [("kind", "0"), ("ts_query_web", chart), ("sort", "relevance"), ("limit", MOST_FOUND)];
    url.query_pairs_mut().extend_pairs(query);
    Ok(url)
}

/// The version of `chart` in the answer to a search: of the packages with exactly this name, the
/// official one, or else the one of a verified publisher, or else the first.
///
/// # Errors
///
/// The answer is not the result of a search.
pub fn version_in_search(answer: &str, chart: &str) -> Result<Option<String>, String> {
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
