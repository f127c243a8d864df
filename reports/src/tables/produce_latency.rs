//! `produce_latency.csv`: how long producers waited.

use super::{Column, LatencyRecorder, Millis, Rows, RunContext, Table, TableRun};
use isrlab_sim::cluster::RunSummary;
use isrlab_sim::engine::SimTime;
use isrlab_sim::protocol::Acks;

/// The table.
pub const TABLE: Table = Table {
    file: "produce_latency.csv",
    row: "the answered requests of one run with one `acks` setting",
    note: "Written when the run is over; a run that was cut short has none. An `acks` setting without any \
           answered request has none.",
    columns,
    applies: super::ALWAYS,
    start: |context| Box::new(ProduceLatency { context: context.clone(), recorders: Default::default() }),
};

fn columns() -> Vec<Column> {
    vec![
        Column::new("acks", "0, 1, all", "The producers' `acks`."),
        Column::new("requests", "requests", "Requests answered without an error (acks=0: sent)."),
        Column::new("latency_min_ms", "ms", "Shortest time from when a request arose to its answer."),
        Column::new("latency_mean_ms", "ms", "Arithmetic mean."),
        Column::new("latency_p50_ms", "ms", "Median, within 0.1 %, like all quantiles here."),
        Column::new("latency_p90_ms", "ms", "90 % of the requests took no longer."),
        Column::new("latency_p99_ms", "ms", "99 % took no longer."),
        Column::new("latency_p999_ms", "ms", "99.9 % took no longer."),
        Column::new("latency_max_ms", "ms", "Longest."),
    ]
}

const ACKS: [Acks; 3] = [Acks::None, Acks::Leader, Acks::All];

struct ProduceLatency {
    context: RunContext,
    recorders: [Option<LatencyRecorder>; ACKS.len()],
}

impl TableRun for ProduceLatency {
    fn watches_produce(&self) -> bool {
        true
    }

    fn produced(&mut self, _: SimTime, _: usize, acks: Acks, latency_ns: u64) {
        let index = match acks {
            Acks::None => 0,
            Acks::Leader => 1,
            Acks::All => 2,
        };
        self.recorders[index].get_or_insert_default().record(latency_ns);
    }

    fn finished(&mut self, _: &RunSummary, rows: &mut Rows) {
        for (acks, recorder) in ACKS.iter().zip(&mut self.recorders) {
            let Some(recorder) = recorder else { continue };
            let seen = recorder.quantiles();
            rows.identity(&self.context.identity);
            rows.text(acks.name());
            rows.value(seen.count);
            for nanos in
                [seen.min_ns, seen.mean_ns, seen.p50_ns, seen.p90_ns, seen.p99_ns, seen.p999_ns, seen.max_ns]
            {
                rows.value(Millis(nanos));
            }
            rows.end();
        }
    }
}
