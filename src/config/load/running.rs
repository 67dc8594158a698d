//! Reads the servers and programs of configurations, and their known tools.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use super::extended::ConfigFileLevel;
use super::reading::ConfigReading;
use crate::config::layer::{ConfigString, ProgramLayer, ServerLayer, VariableTable};
use crate::config::other_clients::{CLIENT_FILES, add_servers};
use crate::config::sources::SourceDiagnostic;
use crate::config::template::Template;
use crate::config::{
    AddressSettings, CommandSettings, ProgramSettings, RunSettings, ServerSettings, ServerStart,
};
use crate::registry::{Registry, SourceContents, Tool};

impl ConfigReading<'_> {
    /// Reads the servers and programs of `levels` with their known tools into the registry, and
    /// then the servers in the files of other clients. The latter do not make the list of tools
    /// complete.
    pub(super) fn run_of(&mut self, levels: &[Arc<ConfigFileLevel>]) -> RunSettings {
        let mut run = RunSettings::default();
        for (index, level) in levels.iter().enumerate() {
            let is_nearest = index + 1 == levels.len();
            self.report.origin(Some(level.path.clone()), Some(Arc::clone(&level.text)));
            for (name, layer) in level.layer.servers.iter().flatten() {
                let server = server_of(name, layer, level);
                self.registry.configured = true;
                let problems = self.listing_of(level, &server, layer);
                self.report.add_sources(problems.into_iter().filter(|_| is_nearest));
                run.servers.insert(server.name.clone(), server);
            }
            for (name, layer) in level.layer.programs.iter().flatten() {
                let problem = self.tool_of(level, name, layer);
                self.report.add_sources(problem.filter(|_| is_nearest));
                run.programs.insert(name.clone(), program_of(name, layer, level));
            }
        }
        let own = run.servers.len();
        let folders = levels.last().map(|level| level.folder().to_owned());
        for folder in
            folders.iter().chain(Some(&self.key.base).filter(|base| folders.as_ref() != Some(*base)))
        {
            self.add_clients(folder, &mut run);
        }
        if run.servers.len() > own {
            for server in
                run.servers.values().filter(|server| !levels.iter().any(|it| it.path == server.file))
            {
                if let Some(source) = self.cached_listing(server) {
                    self.registry.add_server(&server.name, &source);
                }
            }
        }
        run
    }

    /// Adds the servers in the files of other clients in `folder`.
    fn add_clients(&mut self, folder: &Path, run: &mut RunSettings) {
        if !folder.is_absolute() {
            return;
        }
        let project = self.project_of(folder);
        for (name, member) in CLIENT_FILES {
            let file = folder.join(name);
            let text = self.loader.text(self.files, &file);
            self.report.client_files.push(file.clone());
            let is_refused = text.is_some() && project.is_outside(self.files, &file);
            if let Some(Ok(text)) = text.filter(|_| !is_refused) {
                add_servers(run, &text, member, &file, folder);
            }
        }
    }

    /// Reads the tools of `server` into the registry, from its listing or from the cache.
    fn listing_of(
        &mut self,
        level: &ConfigFileLevel,
        server: &ServerSettings,
        layer: &ServerLayer,
    ) -> Vec<SourceDiagnostic> {
        let Some(listing) = &layer.listing else {
            match self.cached_listing(server) {
                Some(source) => self.registry.add_server(&server.name, &source),
                None => self.registry.unasked.push(server.name.clone()),
            }
            return Vec::new();
        };
        let mut listed = Registry::default();
        let project = self.project_of(level.folder());
        let named = std::slice::from_ref(listing);
        let sources = &mut self.loader.sources;
        let source = (self.files, &project);
        let problems = sources.load(source, level.folder(), named, &mut listed, &mut self.report.sources);
        let unwritten = |problem: SourceDiagnostic| match problem {
            SourceDiagnostic::Named { code, mut fault } if fault.message.ends_with("file not found") => {
                fault.message.push_str(&format!("; `chatls tools pull {}` writes it", server.name));
                SourceDiagnostic::Named { code, fault }
            }
            other => other,
        };
        let problems = problems.into_iter().map(unwritten).collect();
        self.registry.files.extend(listed.files);
        self.registry.broken.extend(listed.broken);
        listed.tools.into_values().for_each(|tool| self.registry.add_server_tool(&server.name, tool));
        problems
    }

    /// The cached tools of `server`.
    fn cached_listing(&mut self, server: &ServerSettings) -> Option<Arc<SourceContents>> {
        let places = self.loader.trust.listings.as_ref().filter(|_| !self.loader.trust.refuses_outside)?;
        let path = places.file(server);
        self.report.client_files.push(path.clone());
        self.loader.sources.cached(self.files, &path, &format!("mcp:{}", server.name))
    }

    /// Adds the tool of a program to the registry.
    fn tool_of(
        &mut self,
        level: &ConfigFileLevel,
        name: &str,
        layer: &ProgramLayer,
    ) -> Option<SourceDiagnostic> {
        self.registry.configured = true;
        let project = self.project_of(level.folder());
        let (mut tool, mut problem) = (Tool::default(), None);
        if let Some(input) = &layer.input {
            let sources = &mut self.loader.sources;
            let source = (self.files, &project);
            match sources.schema(source, level.folder(), input, &mut self.report.sources) {
                Ok(read) => tool = (*read).clone(),
                Err(unread) => problem = Some(unread),
            }
        }
        tool.name = name.into();
        tool.source = format!("run:{name}");
        tool.description = layer.description.as_ref().map(|description| description.text.clone());
        self.registry.tools.insert(tool.name.clone(), Arc::new(tool));
        problem
    }
}

fn server_of(name: &str, layer: &ServerLayer, level: &ConfigFileLevel) -> ServerSettings {
    let folder = level.folder();
    let start = match &layer.url {
        Some(url) => ServerStart::Address(AddressSettings {
            url: url.text.clone(),
            headers: templates(layer.headers.as_ref(), folder),
            folder: folder.to_owned(),
        }),
        None => {
            let parts = layer.command.iter().flatten().chain(layer.arguments.iter().flatten());
            ServerStart::Command(command_of(parts, layer.variables.as_ref(), folder))
        }
    };
    let listing = layer.listing.as_ref().map(|listing| listing.text.clone());
    ServerSettings { name: name.to_owned(), file: level.path.clone(), start, listing }
}

fn program_of(name: &str, layer: &ProgramLayer, level: &ConfigFileLevel) -> ProgramSettings {
    let command = command_of(layer.command.iter().flatten(), layer.variables.as_ref(), level.folder());
    ProgramSettings { name: name.to_owned(), file: level.path.clone(), command }
}

/// The command of `parts`, the first of which is the program.
fn command_of<'l>(
    mut parts: impl Iterator<Item = &'l ConfigString>,
    variables: Option<&VariableTable>,
    folder: &Path,
) -> CommandSettings {
    CommandSettings {
        program: parts.next().map(|program| program.text.clone()).unwrap_or_default(),
        arguments: parts.map(|word| Template::parse_word(&word.text, folder).unwrap_or_default()).collect(),
        variables: templates(variables, folder),
        folder: folder.to_owned(),
        base: folder.to_owned(),
    }
}

/// The templates of values, which were checked when their keys were read.
fn templates(values: Option<&VariableTable>, folder: &Path) -> BTreeMap<String, Template> {
    let template = |value: &ConfigString| Template::parse(&value.text, folder).unwrap_or_default();
    values.into_iter().flatten().map(|(name, value)| (name.clone(), template(value))).collect()
}
