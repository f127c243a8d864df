//! The verbs that read scenarios without running them.

use crate::args::{Format, ListArgs, ShowArgs, ValidateArgs};
use crate::output;
use isrlab_reports::ExitCode;
use isrlab_scenarios::{Diagnostic, Diagnostics, Scenario, library, schema};
use serde_json::{Value, json};

/// `isrlab list`.
pub fn list(args: &ListArgs) -> ExitCode {
    let scenarios = library().iter().map(|entry| Scenario::from_library(entry.name));
    let scenarios = match scenarios.collect::<Result<Vec<Scenario>, Diagnostics>>() {
        Ok(scenarios) => scenarios,
        Err(diagnostics) => return refuse(&diagnostics),
    };
    let compared = |scenario: &Scenario| -> Vec<&str> {
        scenario.variants().iter().map(|profile| profile.name).collect()
    };
    let text = match args.format {
        Format::Json => {
            let describe = |scenario: &Scenario| {
                json!({
                    "name": scenario.name(),
                    "title": scenario.title(),
                    "duration_ms": scenario.duration().as_nanos() as f64 / 1e6,
                    "compare": compared(scenario),
                    "expectations": scenario.expectations().len(),
                })
            };
            document(&Value::Array(scenarios.iter().map(describe).collect()))
        }
        Format::Text => {
            let width = scenarios.iter().map(|scenario| scenario.name().len()).max().unwrap_or(0);
            let line = |scenario: &Scenario| {
                format!(
                    "{:width$}  {}\n{:width$}  {}\n",
                    scenario.name(),
                    scenario.title(),
                    "",
                    compared(scenario).join(", ")
                )
            };
            scenarios.iter().map(line).collect()
        }
    };
    output::result(&text, ExitCode::Held)
}

/// `isrlab show`.
pub fn show(args: &ShowArgs) -> ExitCode {
    match Scenario::from_library(&args.scenario) {
        Err(diagnostics) => refuse(&diagnostics),
        Ok(scenario) => {
            let text = match args.format {
                Format::Text => scenario.source_text().to_owned(),
                Format::Json => document(&json!({
                    "name": scenario.name(),
                    "title": scenario.title(),
                    "about": scenario.about(),
                    "text": scenario.source_text(),
                })),
            };
            output::result(&text, ExitCode::Held)
        }
    }
}

/// `isrlab validate`.
pub fn validate(args: &ValidateArgs) -> ExitCode {
    let mut code = ExitCode::Held;
    let mut text = String::new();
    let mut findings = Vec::new();
    for file in &args.files {
        let name = file.display().to_string();
        let read = crate::replay::load(&name, &[], None)
            .and_then(|scenario| scenario.check_sweep().map(|()| scenario));
        match read {
            Ok(scenario) => {
                text += &format!("{name}: is a sound scenario: {}\n", scenario.title());
                findings.push(json!({ "file": name, "sound": true, "diagnostics": [] }));
            }
            Err(diagnostics) => {
                code = ExitCode::BadInput;
                let list: Vec<Value> = diagnostics.list().iter().map(diagnostic_json).collect();
                findings.push(json!({
                    "file": name,
                    "sound": false,
                    "diagnostics": list,
                    "omitted": diagnostics.omitted(),
                }));
                if args.format == Format::Text {
                    output::error(&diagnostics.to_string());
                }
            }
        }
    }
    let text = match args.format {
        Format::Text => text,
        Format::Json => document(&Value::Array(findings)),
    };
    output::result(&text, code)
}

/// `isrlab schema`.
pub fn print_schema() -> ExitCode {
    output::result(&document(&schema()), ExitCode::Held)
}

/// Says what is wrong with a scenario.
pub fn refuse(diagnostics: &Diagnostics) -> ExitCode {
    output::error(&diagnostics.to_string());
    ExitCode::BadInput
}

fn diagnostic_json(diagnostic: &Diagnostic) -> Value {
    json!({
        "file": diagnostic.file,
        "line": diagnostic.position.as_ref().map(|position| position.line),
        "column": diagnostic.position.as_ref().map(|position| position.column),
        "key": diagnostic.key,
        "message": diagnostic.message,
        "accepted": diagnostic.accepted,
        "help": diagnostic.help,
    })
}

fn document(value: &Value) -> String {
    format!("{value:#}\n")
}
