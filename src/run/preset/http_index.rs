//! The index of charts at an address, over HTTP.

use std::time::Duration;

use tokio::runtime::Handle;
use url::Url;

use super::ChartIndex;
use crate::run::Environment;
use crate::run::http_client::http_client;

/// Time for an answer.
const ANSWER: Duration = Duration::from_secs(30);
/// Maximum size of an answer, in bytes.
const LARGEST: usize = 4 << 20;

/// The index of charts at an address that the user named.
#[derive(Clone, Debug)]
pub struct HttpChartIndex {
    /// The address, such as `https://artifacthub.io`.
    pub address: String,
    /// The variables of this process, which may name a proxy.
    pub environment: Environment,
}

impl ChartIndex for HttpChartIndex {
    fn address(&self) -> Result<&str, String> {
        Ok(&self.address)
    }

    /// Blocks; called on a thread for blocking work of a runtime.
    fn get(&self, url: &Url) -> Result<String, String> {
        let runtime = Handle::try_current().map_err(|error| error.to_string())?;
        let answer =
            runtime.block_on(async { tokio::time::timeout(ANSWER, get(url, &self.environment)).await });
        let answer = answer.unwrap_or_else(|_| Err(format!("no answer within {} s", ANSWER.as_secs())));
        answer.map_err(|reason| format!("the index of charts at {}: {reason}", self.address))
    }
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
