//! The workspace: its files, settings and folder walks.

pub mod disk;
pub mod pages;
pub mod settings;
pub mod walk;
