//! The forms of calls that are written as elements with parameters.

use std::borrow::Cow;

use super::tools::PARAMETERS;

/// The texts around the names in a call as an element with parameters.
#[derive(Clone, Copy, Debug)]
pub struct ElementForm {
    /// The text before the name of the tool.
    pub opener: &'static str,
    /// The text after a name.
    pub end: &'static str,
    /// The end of the call; if empty, its closing tag contains the tool name.
    pub closer: &'static str,
    /// The text before the name of a parameter.
    pub parameter: &'static str,
    /// The end of a parameter; if `None`, its closing tag contains the parameter's name.
    pub parameter_closer: Option<&'static str>,
    /// True if a JSON object may replace the parameters.
    pub has_objects: bool,
}

impl ElementForm {
    /// True if a call in this form may have the parameter `name`: calls of Cline and Roo Code have
    /// only their own parameters.
    pub fn takes(&self, name: &str) -> bool {
        self.parameter != "<" || PARAMETERS.contains(&name)
    }

    /// The end of the parameter `name`.
    pub fn closer_of(&self, name: &str) -> Cow<'static, str> {
        self.parameter_closer.map_or_else(|| format!("</{name}>").into(), Cow::Borrowed)
    }
}

/// `<function=NAME>` of Llama and Qwen Coder.
pub const FUNCTION: ElementForm = ElementForm {
    opener: "<function=",
    end: ">",
    closer: "</function>",
    parameter: "<parameter=",
    parameter_closer: Some("</parameter>"),
    has_objects: true,
};
/// The forms of elements with parameters, without tools that are called by their names.
pub const ELEMENT_FORMS: [ElementForm; 4] = [
    FUNCTION,
    ElementForm {
        opener: "<invoke name=\"",
        end: "\">",
        closer: "</invoke>",
        parameter: "<parameter name=\"",
        parameter_closer: Some("</parameter>"),
        has_objects: false,
    },
    ElementForm {
        opener: concat!("<ant", "ml:invoke name=\""),
        end: "\">",
        closer: concat!("</ant", "ml:invoke>"),
        parameter: concat!("<ant", "ml:parameter name=\""),
        parameter_closer: Some(concat!("</ant", "ml:parameter>")),
        has_objects: false,
    },
    // https://huggingface.co/deepseek-ai/DeepSeek-V3.2, encoding/README.md.
    ElementForm {
        opener: "<｜DSML｜invoke name=\"",
        end: "\">",
        closer: "</｜DSML｜invoke>",
        parameter: "<｜DSML｜parameter name=\"",
        parameter_closer: Some("</｜DSML｜parameter>"),
        has_objects: false,
    },
];
