//! Completions of whole calls and records: for each form and tool the members of its object.

use smol_str::SmolStr;

use super::values::{ValueExpectation, ValueLayout, object, output_of, string};
use super::{CompletionBase, CompletionSubject, Snippet};
use crate::call::CallPart;
use crate::call::shape::FieldRole;
use crate::dialect::draft::ObjectForm;
use crate::features::completion::documentation::detail_of_tool;
use crate::features::completion::nearby::NearbyBlocks;
use crate::json::quote;
use crate::registry::Tool;

/// Maximum number of tools that are offered as calls.
const MOST_TOOLS: usize = 1000;

/// Maximum number of pending tool uses for which records are offered.
const MOST_OPEN: usize = 20;

/// The label of a call without a tool.
pub const ANY: &str = "tool call";

/// A call or record to write.
#[derive(Clone)]
pub(super) struct CompleteCall<'a> {
    pub label: String,
    pub detail: String,
    pub subject: Option<CompletionSubject>,
    /// The text before its object.
    pub prefix: &'static str,
    form: ObjectForm,
    name: CallNameSource<'a>,
    id: Option<String>,
    /// True if its start record exists.
    is_begun: bool,
    /// True if it has a state.
    has_state: bool,
}

#[derive(Clone)]
enum CallNameSource<'a> {
    /// The call of a tool, with its registry entry if known.
    Tool(SmolStr, Option<&'a Tool>),
    OneOf(Vec<SmolStr>),
}

/// The calls that objects of `forms` can be, then other records.
pub(super) fn all<'a>(offer: &'a CompletionBase<'_>, forms: &[ObjectForm]) -> Vec<CompleteCall<'a>> {
    let (calls, others): (Vec<ObjectForm>, Vec<ObjectForm>) =
        forms.iter().partition(|form| form.part.has_call() && !form.failed);
    let is_one = calls.len() < 2;
    let calls = calls.into_iter().flat_map(|form| {
        let record = form.tag.filter(|_| !is_one).map(|(_, record)| record);
        calls_of(offer, form).into_iter().map(move |call| call.with_detail(record))
    });
    calls.chain(others.into_iter().flat_map(|form| records_of(offer, form))).collect()
}

/// The calls with a start, then one for each tool.
fn calls_of<'a>(offer: &'a CompletionBase<'_>, form: ObjectForm) -> Vec<CompleteCall<'a>> {
    let near = offer.nearby;
    let registry = &offer.document.settings().registry;
    let of = |name: SmolStr| {
        let tool = registry.tool(&name);
        CallNameSource::Tool(name, tool)
    };
    // Calls in fences have states; records are distinguished by their type or the code of their
    // line.
    let is_record =
        form.shape.of_role(FieldRole::Id).is_some() && form.shape.of_role(FieldRole::State).is_none();
    let open = if is_record { near.open(form.part) } else { Vec::new() };
    let begun = open
        .iter()
        .take(MOST_OPEN)
        .filter_map(|open| Some(complete_call(form, of(open.name?.into()), Some(open.id.to_owned()))))
        .map(|call| CompleteCall { is_begun: true, ..call });
    let new = new_call(near, form);
    let any = CompleteCall { label: ANY.to_owned(), ..new.clone() };
    let names = near.names().into_iter().take(MOST_TOOLS);
    let fresh = names.map(|name| new.clone().with_name(of(name)));
    begun.chain(fresh).chain((!registry.configured).then_some(any)).collect()
}

/// A new call of the tool `name`, known or not; `None` if `form` is not a form of calls.
pub(super) fn named(near: &NearbyBlocks<'_>, form: ObjectForm, name: &str) -> Option<CompleteCall<'static>> {
    let is_call = form.part == CallPart::Call && !form.failed;
    is_call.then(|| new_call(near, form).with_name(CallNameSource::Tool(name.into(), None)))
}

/// A new call, with the fields that nearby calls have.
fn new_call<'a>(near: &NearbyBlocks<'_>, form: ObjectForm) -> CompleteCall<'a> {
    let state = form.shape.of_role(FieldRole::State);
    let is_fence = state.is_some();
    let has_id = form.shape.of_role(FieldRole::Id).is_some() && (!is_fence || near.writes_ids());
    let id = has_id.then(|| near.fresh_id());
    let has_state = state.is_some_and(|field| near.writes(field.key));
    CompleteCall { has_state, ..complete_call(form, CallNameSource::OneOf(Vec::new()), id) }
}

/// One record for each tool use that lacks it; a new one for records that begin a tool use.
fn records_of<'a>(offer: &CompletionBase<'_>, form: ObjectForm) -> Vec<CompleteCall<'a>> {
    let near = offer.nearby;
    let open = near.open(form.part);
    let open = open.iter().take(MOST_OPEN).map(|open| {
        let name = match open.name {
            Some(name) => CallNameSource::Tool(name.into(), None),
            None => CallNameSource::OneOf(near.names()),
        };
        complete_call(form, name, Some(open.id.to_owned()))
    });
    let begins = matches!(form.part, CallPart::Start | CallPart::Call);
    let fresh =
        begins.then(|| complete_call(form, CallNameSource::OneOf(near.names()), Some(near.fresh_id())));
    open.chain(fresh).collect()
}

fn complete_call(form: ObjectForm, name: CallNameSource<'_>, id: Option<String>) -> CompleteCall<'_> {
    let record = form.tag.map(|(_, name)| name);
    let (label, detail, subject) = match &name {
        CallNameSource::Tool(name, tool) if form.part == CallPart::Call && !form.failed => {
            let detail = tool.map(detail_of_tool).or(record.map(str::to_owned)).unwrap_or_default();
            (name.to_string(), detail, tool.map(|_| CompletionSubject::Tool { name: name.to_string() }))
        }
        name => {
            let tool = match name {
                CallNameSource::Tool(name, _) => format!(" {name}"),
                CallNameSource::OneOf(_) => String::new(),
            };
            let detail = format!("{}{tool}", id.as_deref().unwrap_or_default());
            let subject = record.map(|record| CompletionSubject::Record { name: record.to_owned() });
            (record.unwrap_or(form.shape.description).to_owned(), detail, subject)
        }
    };
    CompleteCall {
        label,
        detail,
        subject,
        prefix: form.prefix,
        form,
        name,
        id,
        is_begun: false,
        has_state: false,
    }
}

impl<'a> CompleteCall<'a> {
    fn with_name(self, name: CallNameSource<'a>) -> Self {
        Self { has_state: self.has_state, ..complete_call(self.form, name, self.id) }
    }
}

impl CompleteCall<'_> {
    /// Adds a detail that distinguishes it from other calls of its tool: the type of its `record`,
    /// the id of a started call.
    fn with_detail(mut self, record: Option<&str>) -> Self {
        let id = self.id.as_deref().filter(|_| self.is_begun);
        let words = [record, id, Some(&*self.detail)].into_iter().flatten().filter(|words| !words.is_empty());
        self.detail = words.collect::<Vec<_>>().join(" · ");
        self
    }

    /// The members of its object at the depth `level`.
    pub(super) fn members(&self, layout: ValueLayout, level: usize) -> Vec<(String, Snippet)> {
        let tag = self.form.tag.map(|(key, name)| (key.to_owned(), Snippet::text(quote(name))));
        let is_call = self.form.part == CallPart::Call && !self.form.failed;
        // Objects of fences also contain the result. Other calls have no result yet.
        let is_pending = is_call && self.form.shape.of_role(FieldRole::State).is_none();
        let fields = self.form.shape.fields.iter().filter_map(|field| {
            let value = match (field.role, &self.name) {
                (FieldRole::Output, _) if is_pending => return None,
                (FieldRole::Error, _) if is_call => return None,
                (FieldRole::State, _) if self.has_state => Snippet::text(quote("output-available")),
                (FieldRole::Id, _) => Snippet::text(quote(self.id.as_deref()?)),
                (FieldRole::Name, CallNameSource::Tool(name, _)) => Snippet::text(quote(name)),
                (FieldRole::Name, CallNameSource::OneOf(names)) => {
                    string("tool", names.iter().map(ToString::to_string))
                }
                (FieldRole::Input, CallNameSource::Tool(_, Some(tool))) if is_call => {
                    match ValueExpectation::of(tool, false) {
                        Some(asks) => asks.object(&[], layout, level),
                        None => object([], layout, level),
                    }
                }
                (FieldRole::Input, _) => object([], layout, level),
                (FieldRole::Output, CallNameSource::Tool(_, tool)) => output_of(*tool, layout, level),
                (FieldRole::Output, CallNameSource::OneOf(_)) => output_of(None, layout, level),
                (FieldRole::Error | FieldRole::Delta | FieldRole::Other, _) => string("", []),
                (FieldRole::State | FieldRole::PassedOver, _) => return None,
            };
            Some((field.key.to_owned(), value))
        });
        tag.into_iter().chain(fields).collect()
    }
}
