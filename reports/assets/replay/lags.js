// Reported lags beside the true one, of mirrors and share groups.
"use strict";
(() => {
  const { el, colour, duration, grouped, plot, replay } = isrlab;
  const host = document.querySelector('[data-chart="lag"]');
  if (!host) return;
  const view = plot.view([0, replay.duration], Math.min(replay.duration, 1e-3));
  const state = { seed: replay.seeds[0], mode: "lag", charts: [] };
  const range = el("span", { class: "range", "aria-live": "polite" });
  const panels = el("div");

  function seen(lag) {
    const first = Math.max(0, replay.last(lag.at, view.from) - 1);
    const end = Math.min(lag.at.length, replay.last(lag.at, view.to) + 2);
    return [first, end];
  }
  function data(lag) {
    const [first, end] = seen(lag);
    const cut = (values) => values.slice(first, end);
    const error = (reported) => cut(reported.map((value, i) => value === null ? null : value - lag.truth[i]));
    return [cut(lag.at), state.mode === "lag" ? cut(lag.truth) : cut(lag.truth.map(() => 0)),
      ...lag.rules.map(({ reported }) => state.mode === "lag" ? cut(reported) : error(reported))];
  }
  function words(readout, lag, at) {
    readout.replaceChildren();
    if (at === null) { readout.append("Point at the chart to read values."); return; }
    const i = Math.max(0, replay.last(lag.at, at));
    readout.append(el("b", { text: lag.at[i].toFixed(3) + " s" }), ` · true ${grouped(lag.truth[i])}`);
    for (const { rule, reported } of lag.rules) {
      const value = reported[i], error = value - lag.truth[i];
      readout.append(` · ${rule} ${value === null ? "unknown" : `${grouped(value)} (${error > 0 ? "+" : ""}${grouped(error)})`}`);
    }
  }

  function panel(names, lag, faults) {
    const box = el("div", { class: "plot", "data-plot": "reported" }), readout = el("p", { class: "readout" });
    panels.append(el("article", { class: "panel" }, el("h3", { text: `${lag.name} – ${names.join(", ")}` }),
      plot.legend([{ name: "true", colour: colour("ink"), dash: [], width: 4 },
        ...lag.rules.map(({ rule }, i) => ({ name: rule, ...plot.look(i) }))]),
      el("p", { class: "plot-title", text: state.mode === "lag" ? "lag in records" : "reported less true, records" }), box, readout));
    const stepped = uPlot.paths.stepped({ align: 1 });
    let pending = false, now = null;
    const chart = plot.chart({
      box, view, height: 240, data: data(lag),
      series: [{ stroke: colour("ink"), width: 4, alpha: 0.55, paths: stepped, points: { show: false } },
        ...lag.rules.map((_, i) => ({ stroke: plot.look(i).colour, dash: plot.look(i).dash, width: 1.8, paths: stepped, points: { show: false } }))],
      range: (u, low, high) => {
        const least = Math.min(0, low ?? 0), most = Math.max(1, high ?? 0), room = (most - least) * 0.05;
        return [least < 0 ? least - room : 0, most + room];
      },
      yLabels: (u, splits) => splits.map((value) => Number.isInteger(value) ? plot.short(value) : ""),
      behind: (u) => plot.bands(u, faults),
      hover: (at) => {
        now = at;
        if (!pending) { pending = true; requestAnimationFrame(() => { pending = false; words(readout, lag, now); }); }
      },
    });
    words(readout, lag, null);
    state.charts.push({ chart, update: () => chart.batch(() => { chart.setData(data(lag), false); chart.setScale("x", { min: view.from, max: view.to }); }) });
  }
  function build() {
    state.charts.forEach(({ chart }) => chart.destroy());
    state.charts = [];
    panels.replaceChildren();
    for (const { names, data } of replay.groups(state.seed)) for (const lag of data.lags) panel(names, lag, data.faults);
    told();
  }
  function told() {
    range.textContent = `${view.from.toFixed(3)} – ${view.to.toFixed(3)} s`;
    host.dataset.from = view.from; host.dataset.to = view.to;
  }
  view.onChange(() => { state.charts.forEach(({ update }) => update()); told(); });
  const button = (text, label, action) => el("button", { type: "button", "aria-label": label, title: label, text, onclick: action });
  const choose = (label, values, then) => values.length < 2 ? null : el("label", {}, label,
    el("select", { onchange: (event) => then(event.target.value) }, ...values.map(([value, text]) => el("option", { value, text }))));
  host.append(el("div", { class: "tools" },
    choose("seed", replay.seeds.map((seed) => [seed, seed]), (seed) => { state.seed = seed; build(); }),
    choose("show", [["lag", "lag"], ["error", "reported less true"]], (mode) => { state.mode = mode; build(); }),
    button("Whole run", "The whole run", () => view.reset()), button("−", "Zoom out", () => view.zoom(2)),
    button("+", "Zoom in", () => view.zoom(0.5)), button("◀", "Earlier", () => view.pan(-0.5)), button("▶", "Later", () => view.pan(0.5)), range), panels);
  build();
  let width = host.clientWidth;
  new ResizeObserver(() => { if (host.clientWidth !== width) { width = host.clientWidth; build(); } }).observe(host);
  isrlab.onRepaint(build);
})();
