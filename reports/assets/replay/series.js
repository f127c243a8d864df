// The data of a replay, decoded. Times are seconds from here on.
"use strict";
isrlab.replay = (() => {
  const raw = isrlab.data();
  const SECOND = 1e9;

  const deltas = ({ unit, deltas }) => {
    let sum = 0;
    return deltas.map((delta) => (sum += delta * unit));
  };
  const seconds = (encoded) => deltas(encoded).map((at) => at / SECOND);

  function samples(found) {
    if (!found || found.brokers.length === 0) return null;
    const at = seconds(found.at), leo = deltas(found.leo);
    const leaders = found.leader.map(([from, broker]) => ({ from: at[from], broker }));
    return {
      brokers: found.brokers, at, leo, leaders,
      hw: leo.map((leo, i) => leo - found.behind_hw[i]),
      uncommitted: found.behind_hw,
      lagRecords: found.lag_messages, lagMs: found.lag_ms,
      isr: found.isr.map((moves) => moves.map(([from, isIn]) => ({ from: from / SECOND, isIn }))),
    };
  }

  function steps(found) {
    if (!found) return null;
    const at = seconds(found.at), leo = deltas(found.leo);
    return {
      at, leo, kind: found.kind, records: found.records, since: found.since, total: found.total,
      hw: leo.map((leo, i) => leo - found.behind_hw[i]),
      offset: leo.map((leo, i) => leo - found.behind[i]),
      spans: found.spans.map(([from, to]) => [from / SECOND, to / SECOND]),
    };
  }

  const decoded = new Map();
  function data(index) {
    if (!decoded.has(index)) {
      const found = raw.data[index];
      decoded.set(index, {
        limit: found.limit,
        changes: found.changes.map((change) => ({ ...change, at: change.at / SECOND })),
        faults: found.faults.map(({ name, windows }) => ({
          name, windows: windows.map(([from, to]) => [from / SECOND, to / SECOND]),
        })),
        partitions: found.partitions.map((partition) => ({
          samples: samples(partition.samples), steps: steps(partition.steps),
        })),
        lags: found.lags.map((lag) => ({ ...lag, at: seconds(lag.at) })),
        stamps: found.stamps.map((stamps) => ({ ...stamps, at: seconds(stamps.at) })),
      });
    }
    return decoded.get(index);
  }

  /** The runs of one seed: those that are equal are one, with all their names. */
  function groups(seed) {
    const found = new Map();
    for (const [criterion, of, index] of raw.runs) {
      if (of !== seed) continue;
      if (!found.has(index)) found.set(index, []);
      found.get(index).push(raw.criteria[criterion]);
    }
    return [...found].map(([index, names]) => ({ index, names, data: data(index) }));
  }

  /** The index of the last element of a sorted list that is not above a value; −1: none. */
  function last(list, value) {
    let low = 0, high = list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (list[middle] <= value) low = middle + 1; else high = middle;
    }
    return low - 1;
  }

  const brokers = [...new Set(raw.data.flatMap(({ partitions }) =>
    partitions.flatMap(({ samples }) => (samples ? samples.brokers : []))))].sort((a, b) => a - b);

  return {
    duration: raw.duration / SECOND, sampleEvery: raw.sampleEvery === null ? null : raw.sampleEvery / SECOND,
    criteria: raw.criteria, seeds: raw.seeds, partitions: raw.partitions, brokers, groups, last,
  };
})();
