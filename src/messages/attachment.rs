//! Images and files in messages.

use smol_str::SmolStr;

use super::content::stamp;
use crate::json::{self, Value};

/// True for the images and files of Gemini, Bedrock and Zed.
pub(super) fn is_attachment(part: Value<'_>) -> bool {
    let keys = ["inlineData", "inline_data", "fileData", "file_data", "image", "document", "video", "Image"];
    keys.iter().any(|key| part.get(key).is_some_and(Value::is_object))
}

/// An image or a file in words: `[image: image/png, 24 kB]`. `text` is the object that describes
/// it.
pub fn attachment(text: &str) -> String {
    let json = json::parse_prefix(text);
    let Some(root) = json.root(text) else { return "[file]".to_owned() };
    let find = |keys: &[&str]| {
        let places = ["", "source", "file", "image", "inlineData", "inline_data", "fileData", "image_url"];
        let objects =
            places.iter().filter_map(|place| if place.is_empty() { Some(root) } else { root.get(place) });
        let objects: Vec<Value<'_>> = objects.filter(|value| value.is_object()).collect();
        keys.iter().find_map(|key| objects.iter().find_map(|object| stamp(object.get(key)?)))
    };
    let name = find(&["filename", "name", "title", "file_id", "fileUri"]);
    let media = find(&["media_type", "mediaType", "mimeType", "mime_type", "mime", "format"]);
    let url = find(&["url", "image_url", "data", "bytes", "file_data", "image"]).unwrap_or_default();
    let inline_media = url.strip_prefix("data:").and_then(|url| url.split_once([';', ',']));
    let media = media.or_else(|| inline_media.map(|(media, _)| media.into()));
    let is_link = url.starts_with("http") || url.starts_with("file:");
    let size =
        (!is_link && url.len() > 64).then(|| format!("{} kB", (url.len() * 3 / 4).div_ceil(1000)).into());
    let kind = root.get("type").and_then(Value::as_str).unwrap_or_default();
    let is_image = kind.contains("image") || media.as_deref().is_some_and(|media| media.starts_with("image"));
    let link = Some(url).filter(|url| is_link && url.len() <= 200 && name.is_none());
    let about: Vec<SmolStr> = [name, link, media, size].into_iter().flatten().collect();
    let kind =
        if is_image || root.get("image").or_else(|| root.get("Image")).is_some() { "image" } else { "file" };
    match about.is_empty() {
        true => format!("[{kind}]"),
        false => format!("[{kind}: {}]", about.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attachments_are_words() {
        let check = |text: &str, expected: &str| assert_eq!(attachment(text), expected, "{text}");
        let data = "A".repeat(4000);
        check(
            &format!(
                r#"{{"type": "image", "source": {{"type": "base64", "media_type": "image/png", "data": "{data}"}}}}"#
            ),
            "[image: image/png, 3 kB]",
        );
        check(
            &format!(r#"{{"type": "image_url", "image_url": {{"url": "data:image/gif;base64,{data}"}}}}"#),
            "[image: image/gif, 4 kB]",
        );
        check(
            r#"{"type": "input_image", "image_url": "https://example.org/a.png"}"#,
            "[image: https://example.org/a.png]",
        );
        check(r#"{"type": "file", "mime": "text/plain", "filename": "a.txt"}"#, "[file: a.txt, text/plain]");
        check(r#"{"inlineData": {"mimeType": "image/png", "data": ""}}"#, "[image: image/png]");
        check("{}", "[file]");
    }
}
