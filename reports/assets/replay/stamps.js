// Timestamps: how far each stored time is from when its record was made.
"use strict";
(() => {
  const { el, colour, duration, grouped, plot, replay } = isrlab;
  const host = document.querySelector('[data-chart="stamps"]');
  if (!host) return;
  const view = plot.view([0, replay.duration], Math.min(replay.duration, 1e-3));
  const state = { seed: replay.seeds[0], charts: [] };
  const range = el("span", { class: "range", "aria-live": "polite" });
  const panels = el("div");
  const NEAR = 1000;
  // A scale on which a second and a year both are seen: linear within a second, logarithmic beyond.
  const far = (ms) => Math.sign(ms) * (Math.abs(ms) <= NEAR ? Math.abs(ms) / NEAR : 1 + Math.log10(Math.abs(ms) / NEAR));
  const back = (value) => Math.sign(value) * (Math.abs(value) <= 1 ? Math.abs(value) * NEAR : NEAR * 10 ** (Math.abs(value) - 1));
  const signed = (ms) => (ms > 0 ? "+" : "") + duration(ms);

  function kinds(stamps) {
    const value = (i, isRejected) => {
      if ((stamps.verdict[i] < 0) !== isRejected) return null;
      const ms = isRejected ? stamps.sent[i] : stamps.stored[i];
      return ms === null ? null : far(ms);
    };
    const all = stamps.at.map((_, i) => i);
    return [stamps.at, all.map((i) => value(i, false)), all.map((i) => value(i, true))];
  }
  function words(readout, stamps, at) {
    readout.replaceChildren();
    if (at === null || stamps.at.length === 0) { readout.append("Point at the chart to read values."); return; }
    let i = Math.max(0, replay.last(stamps.at, at));
    if (i + 1 < stamps.at.length && stamps.at[i + 1] - at < at - stamps.at[i]) i++;
    const verdict = stamps.verdict[i], isRejected = verdict < 0;
    const fault = stamps.faults[isRejected ? -1 - verdict : verdict];
    const time = (ms) => ms === null ? "none" : `${signed(ms)} from the true time`;
    readout.append(el("b", { text: stamps.at[i].toFixed(3) + " s" }), isRejected ? ` · rejected${fault ? " (" + fault + ")" : ""}` : " · appended",
      ` · sent: ${time(stamps.sent[i])}`, isRejected ? "" : ` · stored: ${time(stamps.stored[i])}`);
  }
  /** Points: dots where stored, crosses where rejected. */
  function points(u, series, cross) {
    plot.paint(u, ({ ctx, x, y }) => {
      ctx.strokeStyle = ctx.fillStyle = cross ? colour("bad") : colour("c0");
      ctx.lineWidth = 1.5;
      const [times, values] = [u.data[0], u.data[series]];
      for (let i = 0; i < times.length; i++) {
        if (values[i] === null || times[i] < view.from || times[i] > view.to) continue;
        const [left, top] = [x(times[i]), y(values[i])];
        ctx.beginPath();
        if (cross) { ctx.moveTo(left - 3, top - 3); ctx.lineTo(left + 3, top + 3); ctx.moveTo(left + 3, top - 3); ctx.lineTo(left - 3, top + 3); ctx.stroke(); }
        else { ctx.arc(left, top, 2.2, 0, 7); ctx.fill(); }
      }
    });
  }
  function panel(names, stamps, faults) {
    const box = el("div", { class: "plot", "data-plot": "stamps" }), readout = el("p", { class: "readout" });
    panels.append(el("article", { class: "panel" },
      el("h3", {}, el("span", { class: "state", text: `${grouped(stamps.total)} records, ${grouped(stamps.rejected)} rejected` }),
        `${stamps.name} – ${names.join(", ")}`),
      el("p", { class: "plot-title", text: stamps.policy }), box, readout));
    const none = { stroke: "transparent", paths: () => null, points: { show: false } };
    let pending = false, now = null;
    const chart = plot.chart({
      box, view, height: 190, series: [none, none], data: kinds(stamps),
      range: (u, low, high) => [Math.min(-1, (low ?? 0) - 0.3), Math.max(1, (high ?? 0) + 0.3)],
      yLabels: (u, splits) => splits.map((value) => Number.isInteger(value) ? signed(back(value)) : ""),
      yIncrs: [1, 2, 3, 5, 10], ySpace: 17,
      behind: (u) => plot.bands(u, faults),
      before: (u) => { points(u, 1, false); points(u, 2, true); },
      hover: (at) => {
        now = at;
        if (!pending) { pending = true; requestAnimationFrame(() => { pending = false; words(readout, stamps, now); }); }
      },
    });
    words(readout, stamps, null);
    state.charts.push({ chart, update: () => chart.setScale("x", { min: view.from, max: view.to }) });
  }
  function build() {
    state.charts.forEach(({ chart }) => chart.destroy());
    state.charts = [];
    panels.replaceChildren();
    for (const { names, data } of replay.groups(state.seed)) for (const stamps of data.stamps) panel(names, stamps, data.faults);
    told();
  }
  function told() {
    range.textContent = `${view.from.toFixed(3)} – ${view.to.toFixed(3)} s`;
    host.dataset.from = view.from; host.dataset.to = view.to;
  }
  view.onChange(() => { state.charts.forEach(({ update }) => update()); told(); });
  const button = (text, label, action) => el("button", { type: "button", "aria-label": label, title: label, text, onclick: action });
  const seeds = replay.seeds.length < 2 ? null : el("label", {}, "seed", el("select", { onchange: (event) => { state.seed = event.target.value; build(); } },
    ...replay.seeds.map((seed) => el("option", { value: seed, text: seed }))));
  host.append(el("p", { class: "hint", text: "Time less the true time at which the record was made: dots are stored times, crosses the times of rejected records as they were sent. Within a second the scale is even, beyond it each line is ten times the one before." }),
    el("div", { class: "tools" }, seeds, button("Whole run", "The whole run", () => view.reset()), button("−", "Zoom out", () => view.zoom(2)),
      button("+", "Zoom in", () => view.zoom(0.5)), button("◀", "Earlier", () => view.pan(-0.5)), button("▶", "Later", () => view.pan(0.5)), range), panels);
  build();
  let width = host.clientWidth;
  new ResizeObserver(() => { if (host.clientWidth !== width) { width = host.clientWidth; build(); } }).observe(host);
  isrlab.onRepaint(build);
})();
