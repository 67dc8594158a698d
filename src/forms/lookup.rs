//! Finds the form of an object by its own members.

use std::sync::{Arc, LazyLock};

use smallvec::SmallVec;

use super::form::{Form, ValueTest};
use super::table::FORMS;
use super::user::UserForm;

/// Maximum number of members of an object of a known form.
pub const MOST_MEMBERS: usize = 64;
/// The keys of members that list the tools of a conversation.
pub const LIST_KEYS: [&str; 3] = ["tools", "functions", "toolConfig"];
/// Other keys that no signature has.
const OTHER_KEYS: [&str; 10] = [
    "messages",
    "model",
    "weight",
    "isSidechain",
    "agentId",
    "uuid",
    "parentUuid",
    "parent_tool_use_id",
    "parentToolCallId",
    "sessionID",
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
    /// The forms by index: the built-in ones, then those of a configuration.
    forms: Vec<&'static Form>,
    /// Their tests of direct members, in order of precedence.
    rows: Vec<DirectTests>,
    keys: KeyTable,
    /// The forms of the configuration, as written.
    users: Vec<UserForm>,
}

/// A row of the table with its tests of direct members.
#[derive(Debug)]
struct DirectTests {
    index: usize,
    form: &'static Form,
    /// The bits of the keys that such an object has.
    required: u64,
    tests: Vec<(KnownKey, ValueTest)>,
}

/// The keys at the beginning of paths in signatures, by length.
#[derive(Debug)]
struct KeyTable {
    by_len: Vec<Vec<(&'static str, KnownKey)>>,
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
        Arc::new(Self { forms: Vec::new(), rows: Vec::new(), keys, users: Vec::new() })
    }

    /// The table with the forms of a configuration, best first.
    pub fn with(users: Vec<UserForm>) -> Arc<Self> {
        if users.is_empty() { Arc::clone(Self::built_in()) } else { Arc::new(Self::new(users)) }
    }

    fn new(users: Vec<UserForm>) -> Self {
        let own: Vec<&'static Form> = users.iter().map(UserForm::form).collect();
        let keys = KeyTable::new(&own);
        let row = |(index, form): (usize, &'static Form)| DirectTests::new(index, form, &keys);
        let of_users = own.iter().copied().enumerate().map(|(nth, form)| (FORMS.len() + nth, form));
        let rows = of_users.chain(FORMS.iter().enumerate()).map(row).collect();
        Self { forms: FORMS.iter().chain(own).collect(), rows, keys, users }
    }

    /// The forms of the configuration, as written.
    pub fn users(&self) -> &[UserForm] {
        &self.users
    }

    /// The form at `index`.
    pub fn form(&self, index: usize) -> Option<&'static Form> {
        self.forms.get(index).copied()
    }

    /// The forms whose tests of direct members accept `members`, with their index, in order of
    /// precedence. `preview` returns the text of a value, or its beginning.
    pub fn candidates<'p>(
        &'p self,
        members: &'p Members,
        preview: &'p dyn Fn(usize) -> String,
    ) -> impl Iterator<Item = (usize, &'static Form)> + 'p {
        let mask = members.known.iter().fold(0, |mask, member| mask | member.key.bit());
        let is_small = members.count <= MOST_MEMBERS;
        let rows = self.rows.iter().filter(move |row| is_small && mask & row.required == row.required);
        let accepts = move |(key, test): &(KnownKey, ValueTest)| {
            let value = members.known.iter().rev().find(|member| member.key == *key);
            test.accepts(value.map(|member| preview(member.value)).as_deref())
        };
        rows.filter(move |row| row.tests.iter().all(accepts)).map(|row| (row.index, row.form))
    }
}

/// Tables with equal forms are equal.
impl PartialEq for FormTable {
    fn eq(&self, other: &Self) -> bool {
        self.users == other.users
    }
}

impl DirectTests {
    fn new(index: usize, form: &'static Form, keys: &KeyTable) -> Self {
        let direct = form.signature.iter().filter(|(path, _)| !path.contains('.'));
        let tests: Vec<_> =
            direct.filter_map(|(path, test)| Some((keys.find(path.as_bytes())?, *test))).collect();
        let needed = tests.iter().filter(|(_, test)| !matches!(test, ValueTest::Absent));
        let required = needed.fold(0, |mask, (key, _)| mask | key.bit());
        Self { index, form, required, tests }
    }
}

impl KeyTable {
    fn new(own: &[&'static Form]) -> Self {
        let first =
            |form: &'static Form| form.signature.iter().filter_map(|(path, _)| path.split('.').next());
        let others = LIST_KEYS.into_iter().chain(OTHER_KEYS);
        let mut names: Vec<&'static str> = FORMS.iter().flat_map(first).chain(others).collect();
        names.sort_unstable();
        names.dedup();
        for name in own.iter().copied().flat_map(first) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let mut by_len: Vec<Vec<_>> = Vec::new();
        for (name, number) in names.into_iter().zip(0..) {
            by_len.resize_with(by_len.len().max(name.len() + 1), Vec::new);
            if let Some(same) = by_len.get_mut(name.len()) {
                same.push((name, KnownKey(number)));
            }
        }
        Self { by_len }
    }

    fn find(&self, name: &[u8]) -> Option<KnownKey> {
        let same = self.by_len.get(name.len())?;
        same.iter().find(|(known, _)| known.as_bytes() == name).map(|(_, key)| *key)
    }
}

impl KnownKey {
    /// The key `name`, if a built-in form has it.
    pub fn of(name: &[u8]) -> Option<Self> {
        FormTable::built_in().keys.find(name)
    }

    /// Its bit in a mask of keys; none if the mask has no more.
    fn bit(self) -> u64 {
        1_u64.checked_shl(self.0.into()).unwrap_or(0)
    }
}

impl Members {
    /// The offset of the value of the member `key`, a built-in one; of duplicates the last.
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
