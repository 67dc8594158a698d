//! Tests of the store of consents, with folders on the disk.

use std::ops::Deref;

use super::*;

use crate::config::{AddressSettings, ServerStart};
use crate::run::Environment;

/// A folder that is removed at the end.
struct TestFolder {
    path: PathBuf,
    _made: tempfile::TempDir,
}

impl Deref for TestFolder {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.path
    }
}

fn folder() -> TestFolder {
    let made = tempfile::tempdir().expect("a folder");
    let folder = dunce::canonicalize(made.path()).expect("a folder");
    fs::create_dir_all(folder.join("w")).expect("a folder");
    TestFolder { path: folder, _made: made }
}

fn subject(folder: &Path, url: &str) -> Subject {
    let folder = folder.join("w");
    let start = ServerStart::Address(AddressSettings { url: url.to_owned(), headers: [].into(), folder });
    Subject::of_server(&start, &[], &Environment::default()).expect("a subject")
}

#[test]
fn consents_are_granted_and_taken_back() {
    let folder = folder();
    let store = TrustStore::at(folder.join("data/trust"));
    let (one, other) = (subject(&folder, "http://a/"), subject(&folder, "http://b/"));
    assert!(store.check(&one).expect("a store").is_none());
    assert_eq!(store.consents().expect("no store"), []);
    store.grant(&one).expect("a consent");
    assert_eq!(store.check(&one).expect("a store").expect("a consent").subject(), &one);
    assert!(store.check(&other).expect("a store").is_none());
    let consents = store.consents().expect("a store");
    assert_eq!((consents.len(), &consents[0].hash), (1, &one.hash()));
    assert_eq!(consents[0].subject["url"], "http://a/");
    assert!(store.revoke(&one.hash()).expect("a store"));
    assert!(!store.revoke(&one.hash()).expect("a store"));
    assert!(store.check(&one).expect("a store").is_none());
}

#[test]
fn tools_are_allowed_with_a_consent() {
    let folder = folder();
    let store = TrustStore::at(folder.join("data/trust"));
    let subject = subject(&folder, "http://a/");
    let consented = store.grant(&subject).expect("a consent");
    assert!(!store.always_allows(&consented, "f"));
    store.always_allow(&consented, "f").expect("a store");
    store.grant(&subject).expect("the same consent");
    assert!(store.always_allows(&consented, "f") && !store.always_allows(&consented, "g"));
    assert_eq!(store.consents().expect("a store")[0].tools, ["f"]);
    assert!(store.ask_again(&subject.hash()).expect("a store"));
    assert!(!store.always_allows(&consented, "f"));
    assert!(store.check(&subject).expect("a store").is_some());
    // What is taken back stays so.
    store.always_allow(&consented, "f").expect("a store");
    store.revoke(&subject.hash()).expect("a store");
    store.always_allow(&consented, "f").expect("a store");
    assert!(!store.always_allows(&consented, "f") && !store.ask_again(&subject.hash()).expect("a store"));
    assert_eq!(store.consents().expect("a store"), []);
}

#[test]
fn a_project_cannot_grant() {
    let folder = folder();
    let store = TrustStore::at(folder.join("w/data/trust"));
    let subject = subject(&folder, "http://a/");
    assert!(store.grant(&subject).is_err());
    let file = store.path(&subject.hash());
    fs::create_dir_all(store.folder()).expect("a folder");
    let consent = json!({"hash": subject.hash().as_str(), "subject": subject.text()}).to_string();
    fs::write(file, consent).expect("a file");
    let message = store.check(&subject).expect_err("refused").to_string();
    assert!(message.contains(&format!("set `{DATA_HOME}`")), "{message}");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(folder.join("w/data"), folder.join("linked")).expect("a link");
        assert!(
            TrustStore::at(folder.join("linked/trust")).check(&subject).is_err(),
            "a link into the project"
        );
    }
}

#[test]
fn damaged_consents_do_not_count() {
    let folder = folder();
    let store = TrustStore::at(folder.join("trust"));
    let (one, other) = (subject(&folder, "http://a/"), subject(&folder, "http://b/"));
    store.grant(&one).expect("a consent");
    fs::copy(store.path(&one.hash()), store.path(&other.hash())).expect("a copy");
    assert!(store.check(&other).expect("a store").is_none(), "the consent to another subject");
    fs::write(store.path(&one.hash()), "{").expect("a file");
    assert!(store.check(&one).expect("a store").is_none());
    assert_eq!(store.consents().expect("a store"), []);
}

#[cfg(unix)]
#[test]
fn consents_are_private() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    let store = TrustStore::at(folder.join("trust"));
    let subject = subject(&folder, "http://a/");
    store.grant(&subject).expect("a consent");
    let mode = |path: &Path| fs::metadata(path).expect("data").permissions().mode() & 0o777;
    assert_eq!((mode(store.folder()), mode(&store.path(&subject.hash()))), (0o700, 0o600));
    for (path, mode) in [(store.path(&subject.hash()), 0o666), (store.folder().to_owned(), 0o777)] {
        let before = fs::metadata(&path).expect("data").permissions();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("permissions");
        let message = store.check(&subject).expect_err("refused").to_string();
        assert!(message.contains("other users can write it"), "{message}");
        fs::set_permissions(&path, before).expect("permissions");
    }
    let file = store.path(&subject.hash());
    fs::rename(&file, folder.join("real.json")).expect("a file");
    std::os::unix::fs::symlink(folder.join("real.json"), &file).expect("a link");
    assert!(store.check(&subject).expect_err("refused").to_string().contains("it is a link"));
}
