//! Finds the files behind a command line: the resolved executable, and project files, whose
//! contents are part of the consent.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use sha2::{Digest, Sha256};

use super::{Environment, hexadecimal, is_in, script};
use crate::config::{CommandSettings, Files, clean};
use crate::files::{DiskFiles, open_regular};

/// The maximum total of the bytes that are read of the files of a command line: further files are
/// compared by size and time.
pub(super) const MOST_BYTES: u64 = 64 << 20;

/// The beginning of a content that is not read.
const SIZE: &str = "size ";

/// The folders of the project of a file in `folder`, with links resolved: the folder, its
/// repository, and the folders in `workspace` that contain it. The home folder is no project,
/// unless it is a repository.
pub(in crate::run) fn project(folder: &Path, workspace: &[PathBuf]) -> Vec<PathBuf> {
    let repository = folder.ancestors().find(|folder| DiskFiles.is_repository(folder));
    let home = std::env::home_dir().map(|home| DiskFiles.real_path(&home));
    let around = workspace.iter().map(PathBuf::as_path).filter(|around| folder.starts_with(around));
    let is_home = |folder: &PathBuf| home.as_ref().is_some_and(|home| home == folder);
    let plain = std::iter::once(folder).chain(around).map(|folder| DiskFiles.real_path(folder));
    let mut project: Vec<_> = plain.filter(|folder| !is_home(folder)).collect();
    project.extend(repository.map(|folder| DiskFiles.real_path(folder)));
    project.sort();
    project.dedup();
    project
}

/// The absolute path of the executable of `command`. Names are looked up in the user's `PATH`,
/// without its relative folders, which would be folders of the project.
///
/// # Errors
///
/// The reason why there is none, for users.
pub(super) fn executable(command: &CommandSettings, environment: &Environment) -> Result<PathBuf, String> {
    let program = command.program.as_str();
    let is_path = Path::new(program).components().count() > 1
        || Path::new(program).components().any(|part| !matches!(part, Component::Normal(_)))
        || program.ends_with('/');
    if is_path {
        let mut paths = names(program, environment).map(|name| clean(&command.folder.join(name)));
        return match paths.find(|path| is_executable(path)) {
            Some(path) => utf8(path),
            None => Err(format!("`{program}` is not an executable file in `{}`", command.folder.display())),
        };
    }
    let folders = environment.get_os("PATH").map(|path| std::env::split_paths(path).collect::<Vec<_>>());
    let folders = folders.unwrap_or_default().into_iter().filter(|folder| folder.is_absolute());
    let mut found = folders.flat_map(|folder| names(program, environment).map(move |name| folder.join(name)));
    match found.find(|path| is_executable(path)) {
        Some(path) => utf8(path),
        None => Err(format!("there is no program `{program}` in `PATH`")),
    }
}

/// The content of each file that one of `words` names, or a word of a script in it, and that is in
/// `project`, or named by a path relative to `folder`; see [`content`].
///
/// # Errors
///
/// The reason why a file cannot be read.
pub(super) fn contents(
    words: &[String],
    folder: &Path,
    project: &[PathBuf],
) -> Result<BTreeMap<PathBuf, String>, String> {
    let mut contents = BTreeMap::new();
    let mut rest = MOST_BYTES;
    let of_scripts = words.iter().flat_map(|word| script::words(word, folder));
    let whole = words.iter().map(|word| (folder.to_owned(), word.clone()));
    for (folder, word) in whole.chain(of_scripts) {
        for part in parts(&word) {
            let path = clean(&folder.join(part));
            if contents.contains_key(&path) || !path.is_file() {
                continue;
            }
            let is_named_here =
                Path::new(part).is_relative() || project.iter().any(|folder| path.starts_with(folder));
            if is_named_here || is_in(&path, project) {
                let content = content(&path, &mut rest);
                let content =
                    content.map_err(|error| format!("`{}` cannot be read: {error}", path.display()))?;
                contents.insert(path, content);
            }
        }
    }
    Ok(contents)
}

/// The content of the file at `path` for comparisons: its SHA-256 in hexadecimal digits, and then
/// `rest` is reduced by its length; or the size and time of its last change, if it is longer than
/// `rest`.
fn content(path: &Path, rest: &mut u64) -> io::Result<String> {
    let file = open_regular(path)?;
    let data = file.metadata()?;
    let Some(left) = rest.checked_sub(data.len()) else {
        let changed = jiff::Timestamp::try_from(data.modified()?).map_err(io::Error::other)?;
        return Ok(format!("{SIZE}{} bytes, changed {changed}", data.len()));
    };
    *rest = left;
    let mut hasher = Sha256::new();
    let mut file = file.take(data.len());
    let mut buffer = vec![0; 64 << 10];
    loop {
        match file.read(&mut buffer)? {
            0 => break Ok(hexadecimal(&hasher.finalize())),
            read => hasher.update(buffer.get(..read).unwrap_or_default()),
        }
    }
}

/// True if the file at `path` has the content `content` still.
pub(super) fn has_content(path: &Path, content: &str) -> bool {
    let mut rest = if is_size_alone(content) { 0 } else { MOST_BYTES };
    self::content(path, &mut rest).is_ok_and(|now| now == content)
}

/// True if a content is not the SHA-256 of the file.
pub(super) fn is_size_alone(content: &str) -> bool {
    content.starts_with(SIZE)
}

/// The parts of a word that may be paths: itself, and the values of an option.
fn parts(word: &str) -> impl Iterator<Item = &str> {
    let value = word.split_once('=').map(|(_, value)| value);
    let values = word.split(['=', ',']);
    [Some(word), value].into_iter().flatten().chain(values).filter(|part| !part.is_empty()).flat_map(|part| {
        // `-r./hook.js`, `@arguments.txt`, `file:///w/loader.js`
        let option = part.strip_prefix('-').and_then(|option| option.get(1..));
        [Some(part), option, part.strip_prefix('@'), part.strip_prefix("file://")].into_iter().flatten()
    })
}

/// The file names of the program `name`: on Windows with each of the endings of programs.
fn names(name: &str, environment: &Environment) -> impl Iterator<Item = String> {
    let endings = match cfg!(windows) {
        true => environment.get("PATHEXT").unwrap_or_else(|| ".COM;.EXE;.BAT;.CMD".to_owned()),
        false => String::new(),
    };
    let name = name.to_owned();
    let own = if cfg!(windows) && Path::new(&name).extension().is_none() { None } else { Some(name.clone()) };
    let endings: Vec<_> =
        endings.split(';').filter(|it| !it.is_empty()).map(|end| format!("{name}{end}")).collect();
    own.into_iter().chain(endings)
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|data| data.is_file())
}

/// `path`, if it is UTF-8: the texts of other paths could be equal.
pub(super) fn utf8(path: PathBuf) -> Result<PathBuf, String> {
    match path.to_str() {
        Some(_) => Ok(path),
        None => Err(format!("the path `{}` is not UTF-8", path.display())),
    }
}
