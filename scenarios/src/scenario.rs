//! A scenario: read, checked, and ready to be run.

use std::io::Read;
use std::path::{Path, PathBuf};

use isrlab_sim::cluster::RunSummary;
use isrlab_sim::cluster::spec::ClusterSpec;
use isrlab_sim::engine::SimDuration;
use isrlab_sim::protocol::Profile;

use crate::build::{self, Context, Scope};
use crate::diagnostic::{Diagnostics, Problems};
use crate::expect::{self, Expectation, ExpectationObserver, Verdict};
use crate::keys::TOP;
use crate::library::{self, library};
use crate::model::Model;
use crate::overrides;
use crate::read;
use crate::source::{Sources, Span, position};
use crate::suggest::nearest;
use crate::sweep::{Axis, SweepSpec};
use crate::tree;

/// The most bytes of a scenario file. Times that are recorded stand in a file of their own.
pub const FILE_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// A scenario, with all that is wrong with it found: what it describes can be run.
#[derive(Clone, Debug)]
pub struct Scenario {
    name: String,
    origin: String,
    text: String,
    folder: Option<PathBuf>,
    overrides: Vec<(String, String)>,
    sources: Sources,
    model: Model,
    /// The duration that the file gives: what its expectations were written for.
    written_duration: SimDuration,
}

impl Scenario {
    /// Reads a scenario of the library.
    ///
    /// # Errors
    /// There is none of that name; the nearest is suggested.
    pub fn from_library(name: &str) -> Result<Scenario, Diagnostics> {
        match library().iter().find(|entry| entry.name == name) {
            Some(entry) => {
                Scenario::read(entry.name, &library::file_name(name), entry.text, None, &[], Scope::Replay)
            }
            None => Err(Diagnostics::of_file(name, "is no scenario of the library", Some(known(name)))),
        }
    }

    /// Reads a scenario file.
    ///
    /// # Errors
    /// It cannot be read, is too large, is not UTF-8, or is wrong.
    pub fn from_path(path: impl AsRef<Path>) -> Result<Scenario, Diagnostics> {
        let path = path.as_ref();
        let shown = path.display().to_string();
        let text = read_file(path, &shown)?;
        let name = path.file_stem().map_or(shown.clone(), |stem| stem.to_string_lossy().into_owned());
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        Scenario::read(&name, &shown, &text, Some(folder), &[], Scope::Replay)
    }

    /// Reads a scenario from a text; `origin` is what messages call it. Files that it names are
    /// relative to the folder of `origin`, if that is a path with a folder.
    ///
    /// # Errors
    /// It is wrong.
    pub fn parse(text: &str, origin: &str) -> Result<Scenario, Diagnostics> {
        let path = Path::new(origin);
        let name = path.file_stem().map_or(origin.to_owned(), |stem| stem.to_string_lossy().into_owned());
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).map(Path::to_owned);
        Scenario::read(&name, origin, text, folder, &[], Scope::Replay)
    }

    /// The scenario with values replaced, as by `--set KEY=VALUE`; those that were given before
    /// stay. A value needs no quotes.
    ///
    /// # Errors
    /// A key is not one that can be set, or the scenario is wrong with its value.
    pub fn with_overrides(&self, overrides: &[(String, String)]) -> Result<Scenario, Diagnostics> {
        let all: Vec<(String, String)> = self.overrides.iter().chain(overrides).cloned().collect();
        self.reread(&all, Scope::Replay)
    }

    /// The scenario in one cell of a sweep: each varied key has the value of that number, and
    /// only those expectations are left that speak of this cell. Overrides that were given before
    /// stay, and a cluster that is as they make it counts as written.
    ///
    /// # Errors
    /// A key is not one that can be set, or the scenario is wrong with the values.
    ///
    /// # Panics
    /// If an axis has no value of the number given for it.
    pub fn at(&self, point: &[(&Axis, usize)]) -> Result<Scenario, Diagnostics> {
        let values = point
            .iter()
            .map(|(axis, value)| (axis.key().to_owned(), axis.values()[*value].text().to_owned()));
        let all: Vec<(String, String)> = self.overrides.iter().cloned().chain(values).collect();
        let scenario = self.reread(&all, Scope::Cell { point, as_written: false })?;
        let unchanged = scenario.model.compare == self.model.compare
            && self.model.compare.iter().all(|profile| {
                matches!((self.cluster_spec(profile), scenario.cluster_spec(profile)), (Ok(a), Ok(b)) if a == b)
            });
        if unchanged { self.reread(&all, Scope::Cell { point, as_written: true }) } else { Ok(scenario) }
    }

    /// What its own `[sweep]` table varies; none: it has none.
    pub fn sweep(&self) -> Option<&SweepSpec> {
        self.model.sweep.as_ref()
    }

    /// Makes sure that every value of its own `[sweep]` table can be set, each by itself.
    ///
    /// # Errors
    /// What is wrong with the first that cannot.
    pub fn check_sweep(&self) -> Result<(), Diagnostics> {
        let axes = self.sweep().map_or(&[][..], |sweep| &sweep.axes);
        for axis in axes {
            for value in 0..axis.values().len() {
                self.at(&[(axis, value)])?;
            }
        }
        Ok(())
    }

    /// The same text under other overrides, its expectations read for `scope`.
    fn reread(&self, overrides: &[(String, String)], scope: Scope<'_>) -> Result<Scenario, Diagnostics> {
        let folder = self.folder.clone();
        let mut scenario = Scenario::read(&self.name, &self.origin, &self.text, folder, overrides, scope)?;
        scenario.written_duration = self.written_duration;
        Ok(scenario)
    }

    fn read(
        name: &str,
        origin: &str,
        text: &str,
        folder: Option<PathBuf>,
        overrides: &[(String, String)],
        scope: Scope<'_>,
    ) -> Result<Scenario, Diagnostics> {
        let unmarked = text.strip_prefix('\u{FEFF}').unwrap_or(text);
        let mut sources = Sources::new(origin, unmarked);
        let mut syntax = Problems::default();
        let mut document = tree::parse(unmarked, &mut syntax);
        // What would follow from a syntax error would only hide it.
        syntax.into_result(&sources)?;
        let mut problems = Problems::default();
        for (key, value) in overrides {
            overrides::apply(&mut document, key, value, &mut sources, &mut problems);
        }
        let top = read::table(&document, Span::in_file(0..0), "", &TOP, &mut problems);
        let mut context = Context { folder: folder.as_deref(), problems, scope };
        let model = build::model(&top, &mut context);
        let mut problems = context.problems;
        if let Some(model) = &model {
            for profile in &model.compare {
                build::replication(model, profile, &mut problems);
            }
        }
        problems.into_result(&sources)?;
        let Some(model) = model else {
            return Err(Diagnostics::of_file(origin, "cannot be read", None));
        };
        Ok(Scenario {
            name: name.to_owned(),
            origin: origin.to_owned(),
            text: text.to_owned(),
            folder,
            overrides: overrides.to_vec(),
            sources,
            written_duration: model.duration,
            model,
        })
    }

    /// Its name: in the library, or of its file without the extension.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What messages call its file.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The text of its file, as it was read.
    pub fn source_text(&self) -> &str {
        &self.text
    }

    /// The overrides, in the order in which they were applied.
    pub fn overrides(&self) -> &[(String, String)] {
        &self.overrides
    }

    /// One line that says what it shows.
    pub fn title(&self) -> &str {
        &self.model.title
    }

    /// The story, in lines; empty if it has none.
    pub fn about(&self) -> &str {
        &self.model.about
    }

    /// How long the run is.
    pub fn duration(&self) -> SimDuration {
        self.model.duration
    }

    /// What all random draws depend on.
    pub fn seed(&self) -> u64 {
        self.model.seed
    }

    /// How often the timeline is sampled; above 0.
    pub fn sample_every(&self) -> SimDuration {
        self.model.sample_every
    }

    /// The profiles and criteria that it compares, at least one.
    pub fn variants(&self) -> &[Profile] {
        &self.model.compare
    }

    /// What must hold.
    pub fn expectations(&self) -> &[Expectation] {
        &self.model.expectations
    }

    /// Where one of its expectations stands, `file:line`.
    pub fn place(&self, expectation: &Expectation) -> String {
        let file = &self.sources.get(expectation.span.source).name;
        match self.sources.position(expectation.span) {
            Some(position) => format!("{file}:{}", position.line),
            None => file.clone(),
        }
    }

    /// The cluster under a profile, every default filled in.
    ///
    /// # Errors
    /// The settings that are given do not go with the profile's own. Never for one of
    /// [`Scenario::variants`].
    pub fn cluster_spec(&self, profile: &Profile) -> Result<ClusterSpec, Diagnostics> {
        let mut problems = Problems::default();
        let replication = build::replication(&self.model, profile, &mut problems);
        problems.into_result(&self.sources)?;
        let model = &self.model;
        Ok(ClusterSpec {
            profile: *profile,
            replication,
            duration: model.duration,
            brokers: model.brokers.clone(),
            topics: model.topics.clone(),
            producers: model.producers.clone(),
            links: model.links.clone(),
            faults: model.faults.clone(),
            lag: model.lag.clone(),
        })
    }

    /// Judges the expectations that apply to `profile`, in their order, after a run that
    /// `observer` watched and that came to `summary`.
    ///
    /// An expectation speaks of a run as long as the file says. Where an override makes the run
    /// shorter or longer and what came instead can be due to that alone, the premise did not hold;
    /// what goes wrong within both lengths does not hold.
    pub fn evaluate(
        &self,
        profile: &Profile,
        observer: &ExpectationObserver,
        summary: &RunSummary,
    ) -> Vec<Verdict> {
        let length = expect::Length { written: self.written_duration, ran: self.model.duration };
        expect::evaluate(&self.model.expectations, &self.sources, length, profile, observer, summary)
    }
}

/// Suggests a library scenario.
fn known(name: &str) -> String {
    let names = || library().iter().map(|entry| entry.name);
    match nearest(name, names()) {
        Some(near) => format!("did you mean \"{near}\"?"),
        None => format!("the library has {}", names().collect::<Vec<_>>().join(", ")),
    }
}

fn read_file(path: &Path, shown: &str) -> Result<String, Diagnostics> {
    let fail = |message: String, help: Option<String>| Err(Diagnostics::of_file(shown, message, help));
    let metadata = match std::fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            return fail("there is no such file".to_owned(), Some(known(&stem)));
        }
        Err(error) => return fail(format!("cannot be read: {error}"), None),
    };
    if metadata.is_dir() {
        return fail("is a folder, not a scenario file".to_owned(), None);
    }
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path);
    if let Err(error) = file.and_then(|file| file.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes)) {
        return fail(format!("cannot be read: {error}"), None);
    }
    if bytes.len() as u64 > FILE_BYTES_MAX {
        let help = "recorded times stand in a CSV file of their own (arrivals of kind \"recorded\")";
        return fail(format!("is larger than {FILE_BYTES_MAX} bytes"), Some(help.to_owned()));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = position(error.as_bytes(), error.utf8_error().valid_up_to());
        Diagnostics::at(shown, at, "is not UTF-8 here")
    })
}
