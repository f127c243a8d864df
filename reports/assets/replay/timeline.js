// The timeline of a replay: for each run lanes of the replicas, their lag in time and in records,
// from the whole run down to a single fetch.
"use strict";
(() => {
  const { el, colour, duration, grouped, trimmed, plot, replay } = isrlab;
  const host = document.querySelector('[data-chart="timeline"]');
  const table = document.querySelector('[data-chart="changes"]');
  if (!host && !table) return;
  const LANE = 24, STRIP = 15;
  // Steps are drawn one by one where no more are seen.
  const STEPS_SEEN_MAX = 5000, MARKS_MAX = 500, ROWS_MAX = 300;
  const seconds = (at) => {
    const width = view.to - view.from;
    return at.toFixed(width < 0.01 ? 6 : width < 1 ? 4 : 3) + " s";
  };
  const view = plot.view([0, replay.duration], Math.min(replay.duration, 2e-5));
  const state = { seed: replay.seeds[0], partition: 0, records: "auto", panels: [] };
  const brokerLook = (broker) => plot.look(replay.brokers.indexOf(broker));

  // One run.
  class Panel {
    constructor(group) {
      this.group = group;
      const partition = group.data.partitions[state.partition] || {};
      this.samples = partition.samples;
      this.steps = partition.steps;
      this.faults = group.data.faults;
      this.changes = group.data.changes.filter(({ partition }) => partition === replay.partitions[state.partition]);
      this.prepareSteps();
    }

    /** By replica: its fetches, and where each stretch of them begins. */
    prepareSteps() {
      this.fetches = [];
      if (!this.steps || !this.samples) return;
      this.fetches = this.samples.brokers.map(() => ({ at: [], step: [] }));
      this.steps.kind.forEach((kind, i) => {
        const of = kind >= 2 && this.fetches[kind - 2];
        if (of) { of.at.push(this.steps.at[i]); of.step.push(i); }
      });
    }

    leaderAt(at) {
      const { leaders } = this.samples;
      let found = leaders[0].broker;
      for (const { from, broker } of leaders) if (from <= at) found = broker;
      return found;
    }

    /** The steps in view, if all of them are here and not too many. */
    stepsInView() {
      if (!this.steps) return null;
      if (!this.steps.spans.some(([from, to]) => from <= view.from && view.to <= to + 1e-9)) return null;
      const first = replay.last(this.steps.at, view.from - 1e-12) + 1;
      const end = replay.last(this.steps.at, view.to) + 1;
      return end - first <= STEPS_SEEN_MAX ? { first, end } : null;
    }

    /** The lag of a replica by what its leader knows, at a time between two fetches. */
    lagAt(slot, at, including) {
      const { at: times, step } = this.fetches[slot];
      const i = replay.last(times, including ? at : at - 1e-12);
      if (i < 0 || !this.sameSpan(times[i], at)) return null;
      const since = this.steps.since[step[i]];
      return since < 0 ? null : since + (at - times[i]) * 1000;
    }
    knownAt(slot, at) {
      const { at: times, step } = this.fetches[slot];
      const i = replay.last(times, at);
      return i < 0 || !this.sameSpan(times[i], at) ? null : this.steps.offset[step[i]];
    }
    sameSpan(a, b) { return this.steps.spans.some(([from, to]) => from <= a && b <= to + 1e-9); }

    lagData(exact) {
      const { samples } = this, brokers = samples.brokers;
      if (!exact) {
        const lags = brokers.map((broker, slot) => samples.lagMs[slot].map((lag, i) =>
          this.isLeader(broker, samples.at[i]) ? null : lag));
        return [samples.at, ...lags];
      }
      const times = [view.from], lags = brokers.map(() => []);
      const add = (at, including) => brokers.forEach((broker, slot) =>
        lags[slot].push(broker === this.leaderAt(at) ? null : this.lagAt(slot, at, including)));
      add(view.from, true);
      for (let i = exact.first; i < exact.end; i++) {
        if (this.steps.kind[i] < 2) continue;
        times.push(this.steps.at[i], this.steps.at[i]);
        add(this.steps.at[i], false);
        add(this.steps.at[i], true);
      }
      times.push(view.to);
      add(view.to, true);
      return [times, ...lags];
    }
    isLeader(broker, at) {
      return this.samples.leaders.length === 1 ? this.samples.leaders[0].broker === broker : this.leaderAt(at) === broker;
    }

    /** The limit is in view while much of the run is; close by it would flatten everything. */
    showsLimit() {
      const { limit } = this.group.data;
      return limit && !limit.of_records && (!this.exact || view.to - view.from > replay.duration / 5);
    }

    showsOffsets(exact) { return state.records === "offsets" || (state.records === "auto" && exact !== null); }

    recordsData(exact) {
      const { samples, steps } = this, brokers = samples.brokers, offsets = this.showsOffsets(exact);
      if (!exact) {
        const none = samples.at.map(() => null);
        const of = (slot) => samples.lagRecords[slot].map((lag, i) =>
          offsets ? samples.leo[i] - lag : this.isLeader(brokers[slot], samples.at[i]) ? null : lag);
        return [samples.at, offsets ? samples.leo : none, offsets ? samples.hw : samples.uncommitted,
          ...brokers.map((_, slot) => of(slot))];
      }
      const before = Math.max(0, exact.first - 1);
      const index = [];
      for (let i = before; i < exact.end; i++) index.push(i);
      const times = index.map((i) => Math.max(view.from, steps.at[i]));
      if (times.length > 0) { index.push(index[index.length - 1]); times.push(view.to); }
      const of = (slot) => index.map((i, n) => {
        if (brokers[slot] === this.leaderAt(times[n])) return null;
        const known = this.knownAt(slot, times[n]);
        return known === null ? null : offsets ? known : steps.leo[i] - known;
      });
      return [times, offsets ? index.map((i) => steps.leo[i]) : index.map(() => null),
        index.map((i) => offsets ? steps.hw[i] : steps.leo[i] - steps.hw[i]), ...brokers.map((_, slot) => of(slot))];
    }

    build(into) {
      const { samples, group } = this;
      this.stateText = el("span", { class: "state" });
      this.readout = el("p", { class: "readout" });
      this.recordsTitle = el("p", { class: "plot-title" });
      this.lanes = el("div", { class: "plot", "data-plot": "lanes" });
      this.lag = el("div", { class: "plot", "data-plot": "lag" });
      this.records = el("div", { class: "plot", "data-plot": "records" });
      this.rows = el("div", { class: "steps", tabindex: "0", role: "region", "aria-label": "Steps in view" });
      this.rowsBox = el("details", { hidden: true, ontoggle: () => this.fillRows() },
        this.rowsSummary = el("summary"), this.rows);
      const limit = group.data.limit;
      const lagTitle = limit && !limit.of_records
        ? `ms since caught up, as the leader knows; dashed: replica.lag.time.max.ms = ${duration(limit.most)}`
        : "ms since caught up, as the leader knows";
      this.box = el("article", { class: "panel" }, el("h3", {}, this.stateText, group.names.join(", ")));
      into.append(this.box);
      if (!samples) {
        this.box.append(el("p", { class: "hint", text: "There are no samples of this partition." }));
        return;
      }
      this.box.append(this.lanes, el("p", { class: "plot-title", text: lagTitle }), this.lag, this.recordsTitle,
        this.records, this.readout, this.rowsBox);
      const exact = this.stepsInView();
      const hover = (at) => hovered(at);
      const lines = samples.brokers.map((broker) => {
        const look = brokerLook(broker);
        return { stroke: look.colour, dash: look.dash, width: 1.6, spanGaps: false, points: { show: false } };
      });
      const stepped = uPlot.paths.stepped({ align: 1 });
      const faults = (u) => plot.bands(u, this.faults);
      this.charts = [
        plot.chart({ box: this.lanes, view, height: STRIP + LANE * samples.brokers.length + 8, showX: false, hover,
          series: [{ show: false }], data: [[0, replay.duration], [null, null]], range: () => [0, 1],
          yLabels: () => [], behind: faults, before: (u) => this.paintLanes(u) }),
        plot.chart({ box: this.lag, view, height: 130, showX: false, hover, series: lines, data: this.lagData(exact),
          range: (u, low, high) => [0, Math.max(1, high || 0, this.showsLimit() ? limit.most : 0) * 1.08],
          yLabels: (u, splits) => splits.map((ms) => duration(ms)),
          behind: faults, before: (u) => this.paintLimit(u, false) }),
        plot.chart({ box: this.records, view, height: 150, hover,
          series: [
            { stroke: colour("ink"), width: 2, paths: stepped, points: { show: false } },
            { stroke: colour("soft"), width: 2, dash: [1, 2], paths: stepped, points: { show: false } },
            ...lines.map((line) => ({ ...line, paths: stepped })),
          ],
          data: this.recordsData(exact),
          range: (u, low, high) => this.showsOffsets(this.exact)
            ? [Math.floor((low || 0) - 1), Math.ceil((high || 0) + 1)] : [0, Math.max(4, high || 0) * 1.08],
          yLabels: (u, splits) => splits.map((value) => Number.isInteger(value) ? plot.short(value) : ""),
          behind: faults, before: (u) => this.paintLimit(u, true) }),
      ];
      this.update();
    }

    update() {
      if (!this.samples) return;
      this.exact = this.stepsInView();
      const [lanes, lag, records] = this.charts;
      const shown = (u, data) => u.batch(() => { u.setData(data, false); u.setScale("x", { min: view.from, max: view.to }); });
      shown(lanes, [[view.from, view.to], [null, null]]);
      shown(lag, this.lagData(this.exact));
      shown(records, this.recordsData(this.exact));
      this.recordsTitle.textContent = this.showsOffsets(this.exact)
        ? "offsets: LEO (solid), HW (dotted), " + (this.exact ? "each replica’s LEO as the leader knows it" : "each replica’s LEO")
        : "records behind the leader; dotted: not committed (LEO − HW)";
      const every = replay.sampleEvery;
      this.stateText.textContent = this.exact
        ? `every step: ${grouped(this.exact.end - this.exact.first)} in view`
        : every ? `samples every ${duration(every * 1000)}` : "";
      this.rowsBox.hidden = !this.exact;
      if (this.exact) {
        this.rowsSummary.textContent = `Steps in view (${grouped(this.exact.end - this.exact.first)})`;
        this.fillRows();
      }
      this.show(null);
    }

    paintLanes(u) {
      const { samples, steps, exact } = this;
      const ratio = devicePixelRatio || 1, ctx = u.ctx;
      // Names of the lanes, left of the plotting area.
      ctx.save();
      ctx.scale(ratio, ratio);
      ctx.font = "11px system-ui, sans-serif"; ctx.textAlign = "right"; ctx.textBaseline = "middle";
      samples.brokers.forEach((broker, slot) => {
        ctx.fillStyle = brokerLook(broker).colour;
        ctx.fillText(`broker ${broker}`, plot.AXIS - 6, u.bbox.top / ratio + STRIP + LANE * (slot + 0.5), plot.AXIS - 8);
      });
      ctx.restore();
      plot.paint(u, ({ ctx, width, x }) => {
        ctx.font = "10px system-ui, sans-serif"; ctx.textBaseline = "middle";
        // Names of the faults.
        let free = -1;
        ctx.fillStyle = colour("soft");
        const windows = this.faults.flatMap(({ name, windows }) => windows.map(([from, to]) => ({ name, from, to })))
          .sort((a, b) => a.from - b.from);
        for (const { name, from, to } of windows) {
          const left = Math.max(0, x(from)), size = ctx.measureText(name).width;
          const place = Math.min(left + 2, width - size);
          if (x(to) < 0 || left > width || place < free) continue;
          ctx.fillText(name, place, STRIP / 2);
          free = place + size + 10;
        }
        samples.brokers.forEach((broker, slot) => this.paintLane(ctx, width, x, broker, slot));
        if (exact) this.paintSteps(ctx, x, steps, exact);
      });
    }

    paintLane(ctx, width, x, broker, slot) {
      const top = STRIP + LANE * slot + 3, height = LANE - 6, look = brokerLook(broker);
      const moves = this.samples.isr[slot] || [];
      // Numbers of single steps need the room.
      const isFull = this.exact && this.exact.end - this.exact.first <= MARKS_MAX;
      const word = (text, left, right, ink) => {
        if (isFull) return false;
        const size = ctx.measureText(text).width;
        const [from, to] = [Math.max(0, left), Math.min(width, right)];
        if (to - from <= size + 8) return false;
        ctx.fillStyle = ink; ctx.fillText(text, from + 4, top + height / 2 + 0.5);
        return true;
      };
      let said = false;
      moves.forEach(({ from, isIn }, i) => {
        const left = x(from), right = x(i + 1 < moves.length ? moves[i + 1].from : replay.duration);
        if (right < 0 || left > width) return;
        const box = [left, top, Math.max(1, right - left), height];
        if (isIn) {
          ctx.globalAlpha = 0.32; ctx.fillStyle = look.colour; ctx.fillRect(...box); ctx.globalAlpha = 1;
          ctx.fillStyle = look.colour; ctx.fillRect(left, top + height - 2, box[2], 2);
        } else {
          ctx.fillStyle = colour("out"); ctx.fillRect(...box);
          // Hatched, so that it is seen in grey, too.
          ctx.save();
          ctx.beginPath(); ctx.rect(...box); ctx.clip();
          ctx.strokeStyle = colour("bad"); ctx.globalAlpha = 0.7; ctx.lineWidth = 1; ctx.beginPath();
          const [a, b] = [Math.max(left, -20), Math.min(right, width + 20)];
          for (let at = a - height - ((a - height) % 6); at < b; at += 6) { ctx.moveTo(at, top + height); ctx.lineTo(at + height, top); }
          ctx.stroke();
          ctx.restore();
        }
        if (isIn && (said || this.isLeader(broker, Math.max(from, view.from)))) return;
        said ||= isIn && word("in the ISR", left, right, colour("ink"));
        if (!isIn) word("out", left, right, colour("ink"));
      });
      // The leader's stretches.
      const { leaders } = this.samples;
      leaders.forEach(({ from, broker: leader }, i) => {
        if (leader !== broker) return;
        const left = x(from), right = x(i + 1 < leaders.length ? leaders[i + 1].from : replay.duration);
        ctx.fillStyle = colour("sheet"); ctx.fillRect(left, top, right - left, height);
        ctx.strokeStyle = colour("leader"); ctx.strokeRect(left + 0.5, top + 0.5, right - left - 1, height - 1);
        word("leader", left, right, colour("soft"));
      });
      // Where it left and joined.
      const moved = this.changes.filter(({ replica, at }) => replica === broker && at >= view.from && at <= view.to);
      if (moved.length > MARKS_MAX) return;
      for (const { at, joined } of moved) {
        const left = x(at), tip = joined ? top - 2 : top + height + 2, base = joined ? top + 5 : top + height - 5;
        ctx.fillStyle = joined ? colour("good") : colour("bad");
        ctx.beginPath(); ctx.moveTo(left, tip); ctx.lineTo(left - 4, base); ctx.lineTo(left + 4, base); ctx.fill();
      }
    }

    /** A mark for each step, with its numbers where there is room. */
    paintSteps(ctx, x, steps, { first, end }) {
      if (end - first > MARKS_MAX) return;
      const lanes = this.samples.brokers.length;
      const free = new Array(lanes + 1).fill(-1e9);
      for (let i = first; i < end; i++) {
        const kind = steps.kind[i], left = x(steps.at[i]);
        const leader = this.samples.brokers.indexOf(this.leaderAt(steps.at[i]));
        const lane = kind >= 2 ? kind - 2 : leader;
        const top = STRIP + LANE * lane;
        ctx.strokeStyle = ctx.fillStyle = kind >= 2 ? brokerLook(this.samples.brokers[lane]).colour : colour("ink");
        ctx.lineWidth = kind === 1 ? 2 : 1;
        ctx.beginPath(); ctx.moveTo(left, top + 1); ctx.lineTo(left, top + LANE - 1); ctx.stroke();
        const text = kind >= 2 ? `${steps.offset[i]}${steps.records[i] ? " +" + steps.records[i] : ""}`
          : kind === 1 ? "check" : `+${steps.records[i]}`;
        if (left > free[lane]) {
          const size = ctx.measureText(text).width;
          ctx.fillStyle = colour("paper"); ctx.globalAlpha = 0.85; ctx.fillRect(left + 1.5, top + 6, size + 4, 12); ctx.globalAlpha = 1;
          ctx.fillStyle = colour("ink"); ctx.fillText(text, left + 3, top + 12.5);
          free[lane] = left + size + 8;
        }
      }
    }

    paintLimit(u, ofRecords) {
      const limit = this.group.data.limit;
      if (!limit || limit.of_records !== ofRecords || (ofRecords && this.showsOffsets(this.exact))) return;
      plot.paint(u, ({ ctx, width, height, y }) => {
        const at = y(limit.most);
        if (at < 0 || at > height) return;
        ctx.strokeStyle = colour("ink"); ctx.setLineDash([6, 4]); ctx.lineWidth = 1.2;
        ctx.beginPath(); ctx.moveTo(0, at); ctx.lineTo(width, at); ctx.stroke();
      });
    }

    /** What was at a time, in words. */
    show(at) {
      if (!this.samples) return;
      this.readout.replaceChildren();
      if (at === null) { this.readout.append("Point at the chart, or use the arrow keys, to read values."); return; }
      const { samples, steps, exact } = this, brokers = samples.brokers;
      const i = Math.max(0, replay.last(samples.at, at));
      this.readout.append(el("b", { text: seconds(at) }), ` · leader ${this.leaderAt(at)} · ISR ${this.isrAt(at).join(", ")}`);
      if (exact) {
        const step = this.nearest(at);
        if (step !== null) this.readout.append(" · ", el("b", { text: this.words(step) }));
      } else {
        this.readout.append(` · LEO ${grouped(samples.leo[i])} · HW ${grouped(samples.hw[i])}`);
        brokers.forEach((broker, slot) => {
          if (broker === this.leaderAt(at)) return;
          const lag = samples.lagMs[slot][i];
          this.readout.append(` · broker ${broker}: ${lag === null ? "never caught up" : duration(lag)}, ` +
            `${grouped(samples.lagRecords[slot][i])} records behind`);
        });
      }
      for (const { name, windows } of this.faults) {
        if (windows.some(([from, to]) => from <= at && at <= Math.max(to, from + (view.to - view.from) / 200))) this.readout.append(` · fault ${name}`);
      }
      if (exact) this.markRow(this.nearest(at));
    }
    isrAt(at) {
      return this.samples.brokers.filter((_, slot) => {
        const found = this.samples.isr[slot].filter(({ from }) => from <= at);
        return found.length > 0 && found[found.length - 1].isIn;
      });
    }
    nearest(at) {
      const { exact, steps } = this;
      if (!exact || exact.end === exact.first) return null;
      let i = Math.max(exact.first, Math.min(exact.end - 1, replay.last(steps.at, at)));
      if (i + 1 < exact.end && Math.abs(steps.at[i + 1] - at) < Math.abs(steps.at[i] - at)) i++;
      return i;
    }
    what(i) {
      const { steps } = this, kind = steps.kind[i];
      if (kind === 0) return `${steps.records[i]} appended`;
      if (kind === 1) return "ISR check";
      const found = steps.records[i];
      return `fetch of broker ${this.samples.brokers[kind - 2]} from ${grouped(steps.offset[i])}, ` +
        (found === 0 ? "nothing to read" : `reads ${found}`);
    }
    words(i) {
      const { steps } = this, since = steps.since[i];
      const caught = steps.kind[i] < 2 ? "" : since < 0 ? ", never caught up" : since === 0 ? ", caught up now" : `, caught up ${duration(since)} ago`;
      return `${steps.at[i].toFixed(6)} s: ${this.what(i)}${caught}; LEO ${grouped(steps.leo[i])}, HW ${grouped(steps.hw[i])}`;
    }

    fillRows() {
      if (!this.rowsBox.open || !this.exact) return;
      const { first, end } = this.exact, { steps } = this;
      const heads = ["time", "step", "LEO", "HW", "caught up"];
      const rows = [];
      for (let i = first; i < Math.min(end, first + ROWS_MAX); i++) {
        const kind = steps.kind[i], since = steps.since[i];
        const what = el("td");
        if (kind >= 2) what.append(el("span", { class: "swatch", style: `background:${brokerLook(this.samples.brokers[kind - 2]).colour}` }));
        what.append(this.what(i));
        rows.push(el("tr", { "data-step": i }, el("td", { class: "num", text: steps.at[i].toFixed(6) + " s" }), what,
          el("td", { class: "num", text: grouped(steps.leo[i]) }), el("td", { class: "num", text: grouped(steps.hw[i]) }),
          el("td", { class: "num", text: kind < 2 ? "" : since < 0 ? "never" : since === 0 ? "now" : duration(since) + " ago" })));
      }
      this.rows.replaceChildren(el("table", {},
        el("thead", {}, el("tr", {}, ...heads.map((head, i) => el("th", { scope: "col", class: i === 1 ? null : "num", text: head })))),
        el("tbody", {}, ...rows)));
      if (end - first > ROWS_MAX) this.rows.append(el("p", { class: "hint", text: `The first ${ROWS_MAX} of ${grouped(end - first)}: zoom in for the others.` }));
    }
    markRow(step) {
      if (!this.rowsBox.open) return;
      this.rows.querySelector("tr.now")?.classList.remove("now");
      const row = this.rows.querySelector(`tr[data-step="${step}"]`);
      if (row) { row.classList.add("now"); this.rows.scrollTop = row.offsetTop - this.rows.clientHeight / 2; }
    }

    destroy() { (this.charts || []).forEach((chart) => chart.destroy()); this.box?.remove(); }
  }

  let cursor = null, pending = false;
  function hovered(at) {
    cursor = at;
    if (pending) return;
    pending = true;
    requestAnimationFrame(() => { pending = false; state.panels.forEach((panel) => panel.show(cursor)); });
  }

  // What one can do.
  const range = el("span", { class: "range", "aria-live": "polite" });
  const overview = el("canvas", { class: "overview", role: "img", "aria-label": "The whole run, and what is seen of it" });
  const panels = el("div");
  const groups = () => replay.groups(state.seed);
  const changeTimes = () => [...new Set(state.panels.flatMap(({ changes }) => changes.map(({ at }) => at)))].sort((a, b) => a - b);

  /** So near to a time that single steps are seen. */
  function closeTo(at, panel) {
    const steps = panel?.steps;
    let from = at - replay.duration / 400, to = at + replay.duration / 400;
    if (steps && steps.at.length > 0) {
      const i = Math.max(0, replay.last(steps.at, at));
      const [a, b] = [steps.at[Math.max(0, i - 26)], steps.at[Math.min(steps.at.length - 1, i + 14)]];
      if (a < at && at < b && b - a < replay.duration / 10) [from, to] = [a, b];
    }
    view.set(from, to);
  }
  function goToChange(direction) {
    const times = changeTimes(), middle = (view.from + view.to) / 2, zoomedIn = view.to - view.from < replay.duration * 0.999;
    const from = cursor !== null && cursor >= view.from && cursor <= view.to && zoomedIn ? cursor : zoomedIn ? middle : direction > 0 ? -1 : Infinity;
    const least = zoomedIn ? (view.to - view.from) / 1000 : 0;
    const target = direction > 0 ? times.find((at) => at > from + least) : times.filter((at) => at < from - least).pop();
    if (target === undefined) return;
    const panel = state.panels.find(({ changes }) => changes.some(({ at }) => at === target));
    closeTo(target, panel);
    pointAt(target);
  }
  function pointAt(at) {
    const chart = state.panels.find(({ charts }) => charts)?.charts[1];
    if (!chart) return;
    chart.setCursor({ left: chart.valToPos(at, "x"), top: 5 });
    hovered(at);
  }
  /** The next step of any panel, if single steps are seen; else a pixel further. */
  function move(direction) {
    const at = cursor ?? (view.from + view.to) / 2;
    const exact = state.panels.find(({ exact, steps }) => exact && steps);
    let target = at + direction * (view.to - view.from) / 100;
    if (exact) {
      const { at: times } = exact.steps;
      const i = replay.last(times, at + (direction > 0 ? 1e-10 : -1e-10));
      const next = direction > 0 ? times[i + 1] : times[i];
      if (next !== undefined) target = next;
    }
    if (target < view.from || target > view.to) view.set(target - (view.to - view.from) / 2, target + (view.to - view.from) / 2);
    pointAt(Math.max(0, Math.min(replay.duration, target)));
  }
  const KEYS = {
    "+": () => view.zoom(0.5, cursor ?? undefined), "=": () => view.zoom(0.5, cursor ?? undefined), "-": () => view.zoom(2, cursor ?? undefined),
    ArrowLeft: () => move(-1), ArrowRight: () => move(1), PageUp: () => view.pan(-0.5), PageDown: () => view.pan(0.5),
    Home: () => view.reset(), n: () => goToChange(1), p: () => goToChange(-1),
  };

  function build() {
    if (!host) return;
    state.panels.forEach((panel) => panel.destroy());
    panels.replaceChildren();
    state.panels = groups().map((group) => new Panel(group));
    state.panels.forEach((panel) => panel.build(panels));
    told();
  }
  function told() {
    const whole = view.to - view.from >= replay.duration * 0.999999;
    range.textContent = whole ? `the whole run: ${duration(replay.duration * 1000)}`
      : `${seconds(view.from)} – ${seconds(view.to)} (${duration((view.to - view.from) * 1000)})`;
    host.dataset.from = view.from; host.dataset.to = view.to;
    host.dataset.exact = state.panels.some(({ exact }) => exact);
    paintOverview();
    buttons.whole.disabled = whole;
  }
  view.onChange(() => { state.panels.forEach((panel) => panel.update()); told(); });

  function paintOverview() {
    const ratio = devicePixelRatio || 1, width = overview.clientWidth, height = 34, ctx = overview.getContext("2d");
    overview.width = width * ratio; overview.height = height * ratio;
    ctx.scale(ratio, ratio);
    const x = (at) => at / replay.duration * width;
    ctx.fillStyle = colour("band");
    // The faults of one run: those of the others are at the same times, or nearly.
    for (const { windows } of state.panels[0]?.faults ?? []) {
      for (const [from, to] of windows) ctx.fillRect(x(from), 0, Math.max(1, x(to) - x(from)), height);
    }
    // A line for each panel: where a replica was out.
    const row = Math.max(2, Math.min(8, (height - 4) / Math.max(1, state.panels.length)));
    state.panels.forEach(({ samples }, i) => {
      if (!samples) return;
      ctx.fillStyle = colour("bad");
      for (const moves of samples.isr) moves.forEach(({ from, isIn }, n) => {
        const to = n + 1 < moves.length ? moves[n + 1].from : replay.duration;
        if (!isIn) ctx.fillRect(x(from), 2 + i * row, Math.max(2.5, x(to) - x(from)), row - 1);
      });
    });
    const [left, right] = [x(view.from), x(view.to)], seen = Math.max(3, right - left);
    ctx.fillStyle = colour("link"); ctx.globalAlpha = 0.16; ctx.fillRect(left, 0, seen, height); ctx.globalAlpha = 1;
    ctx.strokeStyle = colour("link"); ctx.lineWidth = 2; ctx.strokeRect(left, 1, seen, height - 2);
  }
  overview.addEventListener("pointerdown", (event) => {
    overview.setPointerCapture(event.pointerId);
    const at = (e) => (e.clientX - overview.getBoundingClientRect().left) / overview.clientWidth * replay.duration;
    const start = at(event), inside = start >= view.from && start <= view.to, [from, to] = [view.from, view.to];
    const drag = (e) => {
      const now = at(e), width = to - from;
      if (inside && width < replay.duration * 0.999) view.set(from + now - start, to + now - start);
      else if (Math.abs(now - start) > replay.duration / 200) view.set(Math.min(start, now), Math.max(start, now));
      else view.set(now - width / 2, now + width / 2);
    };
    const end = () => { overview.removeEventListener("pointermove", drag); overview.removeEventListener("pointerup", end); };
    overview.addEventListener("pointermove", drag);
    overview.addEventListener("pointerup", end);
    if (!inside) drag(event);
  });

  const button = (text, label, action) => el("button", { type: "button", "aria-label": label, title: label, text, onclick: action });
  const buttons = {
    whole: button("Whole run", "The whole run (Home)", () => view.reset()),
    out: button("−", "Zoom out (−)", () => view.zoom(2)), in: button("+", "Zoom in (+)", () => view.zoom(0.5)),
    left: button("◀", "Earlier (Page up)", () => view.pan(-0.5)), right: button("▶", "Later (Page down)", () => view.pan(0.5)),
    previous: button("◀ ISR change", "The ISR change before (p)", () => goToChange(-1)),
    next: button("ISR change ▶", "The next ISR change (n)", () => goToChange(1)),
  };
  const choose = (label, values, chosen, then) => values.length < 2 ? null : el("label", {}, label,
    el("select", { onchange: (event) => then(event.target.value) },
      ...values.map(([value, text]) => el("option", { value, selected: value === chosen, text }))));

  if (host) {
    const hasChanges = groups().some(({ data }) => data.changes.length > 0);
    host.append(
      el("div", { class: "tools" },
        choose("seed", replay.seeds.map((seed) => [seed, seed]), state.seed, (seed) => { state.seed = seed; build(); fillChanges(); }),
        choose("partition", replay.partitions.map((name, i) => [String(i), name]), "0", (i) => { state.partition = Number(i); build(); }),
        choose("records", [["auto", "lag, offsets when zoomed in"], ["lag", "lag"], ["offsets", "offsets"]], "auto", (mode) => { state.records = mode; build(); }),
        buttons.whole, buttons.out, buttons.in, buttons.left, buttons.right,
        hasChanges ? buttons.previous : null, hasChanges ? buttons.next : null, range),
      overview,
      plot.legend([
        ...replay.brokers.map((broker) => ({ name: `broker ${broker}`, ...brokerLook(broker) })),
        { name: "limit", colour: colour("ink"), dash: [6, 4], width: 1.2 },
      ]),
      el("p", { class: "hint", text: "Drag over a chart to zoom in, Ctrl and the wheel to zoom, two clicks for the whole run; with the keyboard + − ← → Home, n and p for ISR changes." }),
      panels);
    host.tabIndex = 0;
    host.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("select, input, .steps")) return;
      const action = KEYS[event.key];
      if (action) { event.preventDefault(); action(); }
    });
    build();
    let width = host.clientWidth;
    new ResizeObserver(() => { if (host.clientWidth !== width) { width = host.clientWidth; build(); } }).observe(host);
    isrlab.onRepaint(() => { host.querySelector(".legend").replaceWith(plot.legend([
      ...replay.brokers.map((broker) => ({ name: `broker ${broker}`, ...brokerLook(broker) })),
      { name: "limit", colour: colour("ink"), dash: [6, 4], width: 1.2 },
    ])); build(); });
  }

  // The table of ISR changes; a click on its time shows it in the timeline.
  function fillChanges() {
    if (!table) return;
    const heads = [["time", true], ["criteria", false], ["partition", false], ["change", false], ["broker", true], ["ISR after", false],
      ["cause", false], ["LEO", true], ["HW", true], ["its LEO", true], ["caught up ago", true]];
    const found = groups().flatMap(({ names, data }) => data.changes.map((change) => ({ names, ...change })));
    const rows = found.slice(0, 2000).map((change) => {
      const go = host && el("button", { type: "button", text: change.at.toFixed(3) + " s", title: "Show it in the timeline", onclick: () => {
        const at = replay.partitions.indexOf(change.partition);
        if (at >= 0 && at !== state.partition) { state.partition = at; build(); }
        closeTo(change.at, state.panels.find(({ group }) => group.names[0] === change.names[0]));
        host.scrollIntoView();
        pointAt(change.at);
      } });
      const number = (value) => el("td", { class: "num", "data-sort": value ?? "", text: value === null || value === undefined ? "–" : grouped(value) });
      return el("tr", {}, el("td", { class: "num", "data-sort": change.at }, go || change.at.toFixed(3) + " s"),
        el("td", { text: change.names.join(", ") }), el("td", { text: change.partition }),
        el("td", { text: change.joined ? "joined" : "left" }), number(change.replica), el("td", { text: change.isr.replaceAll(";", ", ") }),
        el("td", { text: change.cause }), number(change.leo), number(change.hw), number(change.replica_leo),
        el("td", { class: "num", "data-sort": change.since ?? "", text: change.since === null ? "never" : duration(change.since) }));
    });
    table.replaceChildren(
      found.length === 0 ? el("p", { class: "hint", text: "None under this seed." }) :
      el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "ISR changes", style: "max-height: 26rem; overflow-y: auto" },
        el("table", { class: "sorts" },
          el("thead", {}, el("tr", {}, ...heads.map(([head, isNumber]) => el("th", { scope: "col", class: isNumber ? "num" : null, "aria-sort": "none" },
            el("button", { type: "button", text: head }))))),
          el("tbody", {}, ...rows))),
      found.length > 2000 ? el("p", { class: "hint", text: `The first 2,000 of ${grouped(found.length)}.` }) : "");
  }
  fillChanges();
})();
