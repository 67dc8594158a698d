//! The workspace: its files, settings and folder walks.

#[cfg(not(target_family = "wasm"))]
pub mod disk;
pub mod folders;
pub mod pages;
pub mod settings;
#[cfg(not(target_family = "wasm"))]
pub mod walk;
