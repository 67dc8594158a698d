//! Finds the form of an object by its own members.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use smallvec::SmallVec;

use super::built_in::FORMS;
use super::form::{Form, FormRole, UsePaths, ValueTest, first_key};
use super::results::ResultTemplate;
use crate::call::CallPart;
use crate::json::Value;

/// Maximum number of members of an object of most known forms.
const MOST_MEMBERS: usize = 64;
/// Maximum number of members of an object with the attributes of a trace.
pub const MOST_ATTRIBUTES: usize = 4096;
/// The keys of members that list the tools of a conversation.
pub const LIST_KEYS: [&str; 4] = ["tools", "functions", "toolConfig", "toolClients"];
/// Keys that are read although no signature has them.
const OTHER_KEYS: [&str; 18] = [
    "messages",
    "model",
    "previous_response_id",
    "weight",
    "isSidechain",
    "agentId",
    "uuid",
    "parentUuid",
    "parent_tool_use_id",
    "parentToolCallId",
    "sessionID",
    "server_label",
    "jsonrpc",
    "runId",
    "session_start",
    "run_id",
    "request",
    "response",
];

/// A key of signatures, by its number. Built-in keys have the same number in all tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownKey(u16);

/// A member with a known key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its key.
    pub key: KnownKey,
    /// The offset of its value.
    pub value: usize,
}

/// The members of an object.
#[derive(Clone, Debug, Default)]
pub struct Members {
    /// Those with known keys, in order.
    pub known: SmallVec<[Member; 4]>,
    /// Number of all of them.
    pub count: usize,
}

/// The forms that a document is read by. The index of a form in it is stored with messages.
#[derive(Debug)]
pub struct FormTable {
    /// The forms of the configuration; their indices follow the built-in ones.
    own: Vec<Form>,
    /// The tests of direct members, in order of precedence.
    rows: Vec<DirectTests>,
    /// For each key, in order, the rows whose rarest required key it is; at the end, the rows
    /// without required keys.
    by_key: Vec<Vec<u16>>,
    keys: KeyTable,
}

/// A row of the table with its tests of direct members.
#[derive(Debug)]
struct DirectTests {
    index: usize,
    /// A mask of the keys that such an object must have.
    required: u64,
    required_keys: Vec<KnownKey>,
    tests: Vec<(KnownKey, ValueTest)>,
}

/// The keys at the beginning of paths in signatures, by a hash.
#[derive(Debug)]
struct KeyTable {
    by_hash: Vec<SmallVec<[(String, KnownKey); 1]>>,
    count: usize,
}

static BUILT_IN: LazyLock<Arc<FormTable>> = LazyLock::new(|| Arc::new(FormTable::new(Vec::new())));

impl FormTable {
    /// The table of the built-in forms alone.
    pub fn built_in() -> &'static Arc<Self> {
        &BUILT_IN
    }

    /// A table without forms: nothing is a message.
    pub fn empty() -> Arc<Self> {
        let keys = KeyTable::new(&[]);
        Arc::new(Self { own: Vec::new(), rows: Vec::new(), by_key: Vec::new(), keys })
    }

    /// The table with the forms of a configuration, best first.
    pub fn with(own: Vec<Form>) -> Arc<Self> {
        if own.is_empty() { Arc::clone(Self::built_in()) } else { Arc::new(Self::new(own)) }
    }

    fn new(own: Vec<Form>) -> Self {
        let keys = KeyTable::new(&own);
        let of_configuration = own.iter().enumerate().map(|(nth, form)| (FORMS.len() + nth, form));
        let all = of_configuration.chain(FORMS.iter().enumerate());
        let rows: Vec<_> = all.map(|(index, form)| DirectTests::new(index, form, &keys)).collect();
        let by_key = by_rarest_key(&rows, keys.count);
        Self { own, rows, by_key, keys }
    }

    /// The forms of the configuration.
    pub fn own(&self) -> &[Form] {
        &self.own
    }

    /// The form at `index`.
    pub fn form(&self, index: usize) -> Option<&Form> {
        FORMS.get(index).or_else(|| self.own.get(index.checked_sub(FORMS.len())?))
    }

    /// The first form, by precedence, that accepts `members` and passes `fits`, with its index.
    /// `preview` returns the text of a value, or its beginning.
    pub fn find<'t>(
        &self,
        members: &Members,
        preview: impl Fn(usize) -> Cow<'t, str>,
        fits: impl Fn(&Form) -> bool,
    ) -> Option<(usize, &Form)> {
        if members.count > MOST_ATTRIBUTES {
            return None;
        }
        let has_few = members.count <= MOST_MEMBERS;
        let mut mask = 0;
        let mut found = SmallVec::<[u16; 32]>::from_slice(self.by_key.last()?);
        for member in &members.known {
            mask |= member.key.bit();
            found.extend_from_slice(self.by_key.get(usize::from(member.key.0))?);
        }
        found.sort_unstable();
        found.dedup();
        let accepts = |(key, test): &(KnownKey, ValueTest)| {
            let value = members.known.iter().rev().find(|member| member.key == *key);
            test.accepts(value.map(|member| preview(member.value)).as_deref())
        };
        let rows = found.iter().filter_map(|row| self.rows.get(usize::from(*row)));
        let rows = rows.filter(|row| mask & row.required == row.required && row.tests.iter().all(accepts));
        let mut forms = rows.filter_map(|row| Some((row.index, self.form(row.index)?)));
        forms.find(|(_, form)| (has_few || form.is_of_attributes()) && fits(form))
    }
}

/// For each key, in order, the indices of the `rows` whose rarest required key it is; at the end,
/// the rows without required keys.
fn by_rarest_key(rows: &[DirectTests], keys: usize) -> Vec<Vec<u16>> {
    let mut counts = vec![0; keys];
    for key in rows.iter().flat_map(|row| &row.required_keys) {
        if let Some(count) = counts.get_mut(usize::from(key.0)) {
            *count += 1;
        }
    }
    let count_of = |key: &&KnownKey| counts.get(usize::from(key.0)).copied().unwrap_or(0);
    let mut by_key = vec![Vec::new(); keys + 1];
    for (row, index) in rows.iter().zip(0..) {
        let rarest = row.required_keys.iter().min_by_key(count_of);
        if let Some(same) = by_key.get_mut(rarest.map_or(keys, |key| usize::from(key.0))) {
            same.push(index);
        }
    }
    by_key
}

/// Tables with equal forms are equal.
impl PartialEq for FormTable {
    fn eq(&self, other: &Self) -> bool {
        self.own == other.own
    }
}

impl DirectTests {
    fn new(index: usize, form: &Form, keys: &KeyTable) -> Self {
        let direct = form.signature.iter().filter(|(path, test)| !test.needs_text(path));
        let tests: Vec<_> = direct
            .filter_map(|(path, test)| Some((keys.find(first_key(path).as_bytes())?, test.clone())))
            .collect();
        // A nested member requires its parent.
        let needed =
            form.signature.iter().filter(|(_, test)| !matches!(test, ValueTest::Absent | ValueTest::Empty));
        let needed = needed.filter_map(|(path, _)| keys.find(first_key(path).as_bytes()));
        let required_keys: Vec<_> = needed.collect();
        let required = required_keys.iter().fold(0, |mask, key| mask | key.bit());
        Self { index, required, required_keys, tests }
    }
}

impl KeyTable {
    const SLOTS: usize = 256;

    fn new(own: &[Form]) -> Self {
        let others = LIST_KEYS.into_iter().chain(OTHER_KEYS).map(str::to_owned);
        let mut names: Vec<_> = FORMS.iter().flat_map(first_keys).chain(others).collect();
        names.sort_unstable();
        names.dedup();
        for name in own.iter().flat_map(first_keys) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let mut table = Self { by_hash: vec![SmallVec::new(); Self::SLOTS], count: names.len() };
        for (name, number) in names.into_iter().zip(0..) {
            if let Some(same) = table.by_hash.get_mut(Self::hash(name.as_bytes())) {
                same.push((name, KnownKey(number)));
            }
        }
        table
    }

    #[inline(always)]
    fn hash(name: &[u8]) -> usize {
        let (Some(first), Some(last)) = (name.first(), name.last()) else { return 0 };
        (name.len() * 67 + usize::from(*first) * 13 + usize::from(*last)) % Self::SLOTS
    }

    fn find(&self, name: &[u8]) -> Option<KnownKey> {
        let same = self.by_hash.get(Self::hash(name))?;
        same.iter().find(|(known, _)| known.as_bytes() == name).map(|(_, key)| *key)
    }
}

/// The template for the results of the call `object`; `None` if its form has none.
pub fn result_template(object: Value<'_>) -> Option<&'static ResultTemplate> {
    let is_call = |form: &&Form| matches!(&form.role, FormRole::Use(paths) if paths.part != CallPart::Result);
    FORMS.iter().filter(is_call).find(|form| form.fits(object))?.result
}

/// The family of the result `object`, and the positions of its values, if its form is built in.
pub fn result_form(object: Value<'_>) -> Option<(&'static str, &'static UsePaths)> {
    FORMS.iter().find_map(|form| match &form.role {
        FormRole::Use(paths) if paths.part == CallPart::Result && form.fits(object) => {
            Some((&*form.family, paths))
        }
        _ => None,
    })
}

/// The first keys of the paths in the signature of a form.
fn first_keys(form: &Form) -> impl Iterator<Item = String> {
    form.signature.iter().map(|(path, _)| first_key(path).to_owned())
}

impl KnownKey {
    /// The key `name`, if a built-in form has it.
    #[inline(always)]
    pub fn of(name: &[u8]) -> Option<Self> {
        FormTable::built_in().keys.find(name)
    }

    /// Its bit in a mask of keys; 0 if the mask has no bit left.
    fn bit(self) -> u64 {
        1_u64.checked_shl(self.0.into()).unwrap_or(0)
    }
}

impl Members {
    /// The offset of the value of the member `key`, a built-in key; of duplicates the last.
    pub fn value_of(&self, key: &str) -> Option<usize> {
        let key = KnownKey::of(key.as_bytes())?;
        self.known.iter().rev().find(|member| member.key == key).map(|member| member.value)
    }

    /// Adds a member.
    pub fn push(&mut self, forms: &FormTable, key: &[u8], value: usize) {
        self.count += 1;
        if let Some(key) = forms.keys.find(key) {
            self.known.push(Member { key, value });
        }
    }
}
