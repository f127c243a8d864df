// The page of a sweep: a metric over the grid as a map, and over one key as lines.
"use strict";
(() => {
  const { el, colour, duration, grouped, trimmed, plot } = isrlab;
  const data = isrlab.data();
  const mapHost = document.querySelector('[data-chart="map"]'), lineHost = document.querySelector('[data-chart="lines"]');
  if (!data || !mapHost) return;
  const { vary, criteria } = data;
  // Columns that are the same as the means, or have no value at all, are not written out.
  const metrics = data.metrics.map((found) => {
    const column = (values) => values === "mean" ? found.mean : values ?? found.mean.map(() => null);
    return { ...found, low: column(found.low), high: column(found.high), min: column(found.min), max: column(found.max),
      runs: Array.isArray(found.runs) ? found.runs : found.mean.map(() => found.runs) };
  });
  const lengths = vary.map(({ values }) => values.length);
  const PANELS_MAX = 24, COLUMNS_MAX = 250;

  // Where a cell stands in the lists; a cell that is not here is in another shard.
  const place = new Map(data.cells.map((cell, at) => [cell, at]));
  const cellOf = (point, criterion) => point.reduce((sum, at, key) => sum * lengths[key] + at, 0) * criteria.length + criterion;
  const at = (point, criterion) => place.get(cellOf(point, criterion));
  const command = (point, criterion) => {
    const { first, criteria, overrides, values, seeds } = data.commands;
    return first + criteria[criterion] + overrides + point.map((at, key) => values[key][at]).join("") + seeds;
  };

  const start = () => {
    const first = metrics.find(({ name }) => name === data.plots[0]) || metrics[0];
    // The share says more than a mean where seeds differ.
    const flapped = metrics.find(({ name }) => name === "flapped");
    const differs = flapped && flapped.mean.some((share) => share > 0 && share < 1);
    return metrics.indexOf(differs && data.plots[0] === "isr_flaps" ? flapped : first);
  };
  const state = {
    metric: Math.max(0, start()),
    x: vary.length - 1, y: vary.length - 2, point: vary.map(() => 0),
    chosen: null, lineX: vary.length - 1, charts: [],
  };
  const metric = () => metrics[state.metric];
  const show = (value, unit = metric().unit) => value === null || value === undefined ? "–"
    : unit === "ms" ? duration(value) : unit === "share" ? trimmed(value * 100, value > 0 && value < 0.1 ? 1 : 0) + " %"
    : grouped(trimmed(value, Math.abs(value) < 10 ? 2 : Math.abs(value) < 1000 ? 1 : 0));

  /** Criteria that are equal in every cell of a metric are one panel, with all their names. */
  function groups() {
    const { mean, low, high } = metric(), found = new Map();
    const points = data.cells.filter((cell) => cell % criteria.length === 0).length;
    criteria.forEach((name, criterion) => {
      const key = [];
      for (let point = 0; point < lengths.reduce((a, b) => a * b, 1); point++) {
        const at = place.get(point * criteria.length + criterion);
        key.push(at === undefined ? "" : [mean[at], low[at], high[at]].join());
      }
      const text = points === 0 ? name : key.join(";");
      if (!found.has(text)) found.set(text, { names: [], criterion });
      found.get(text).names.push(name);
    });
    return [...found.values()];
  }

  // Little is near the page's own colour and much stands out; the lightness changes evenly, so that both read in grey
  // and for the colour-blind. On light pages the blues of the sweep's other plots, on dark ones cividis.
  const LIGHT = [[247, 251, 255], [198, 219, 239], [107, 174, 214], [33, 113, 181], [8, 48, 107]];
  const DARK = [[0, 32, 77], [60, 77, 110], [124, 123, 120], [187, 175, 113], [255, 234, 70]];
  function tint(share) {
    const STOPS = isrlab.isDark() ? DARK : LIGHT;
    const at = Math.max(0, Math.min(1, share)) * (STOPS.length - 1), i = Math.min(STOPS.length - 2, Math.floor(at));
    const mixed = STOPS[i].map((from, n) => Math.round(from + (STOPS[i + 1][n] - from) * (at - i)));
    const light = (0.299 * mixed[0] + 0.587 * mixed[1] + 0.114 * mixed[2]) > 130;
    return { paper: `rgb(${mixed.join()})`, ink: light ? "#101418" : "#ffffff" };
  }
  function scale() {
    const { mean, unit } = metric();
    const seen = mean.filter((value) => value !== null);
    let low = seen.reduce((a, b) => Math.min(a, b), Infinity), high = seen.reduce((a, b) => Math.max(a, b), -Infinity);
    if (unit === "share") [low, high] = [0, 1];
    if (low > 0 && low < high / 2) low = 0;
    return { low, high, of: (value) => high > low ? (value - low) / (high - low) : 0.5 };
  }

  const words = (point, criterion) => {
    const i = at(point, criterion);
    const values = vary.map(({ key, values }, k) => `${key} = ${values[point[k]]}`).join(", ");
    if (i === undefined) return { where: values, what: "not in this folder" };
    const found = metric();
    const interval = found.low[i] === null ? "" : ` (95 % ${found.method}: ${show(found.low[i])} to ${show(found.high[i])})`;
    const extremes = found.min[i] === null || found.min[i] === found.max[i] ? "" : `, from ${show(found.min[i])} to ${show(found.max[i])}`;
    return { where: values, what: `${found.name} ${show(found.mean[i])}${interval}${extremes}; ${grouped(found.runs[i])} runs` };
  };

  // The map.
  const about = el("p", { class: "hint" }), maps = el("div", { class: "maps" });
  const readout = el("div", { class: "readout cell-readout", "aria-live": "polite" });
  const ramp = el("div", { class: "ramp" });
  const button = (text, label, action) => el("button", { type: "button", "aria-label": label, title: label, text, onclick: action });
  const choose = (label, values, chosen, then) => el("label", {}, label,
    el("select", { onchange: (event) => then(Number(event.target.value)) },
      ...values.map(([value, text]) => el("option", { value, selected: value === chosen, text }))));

  function tell(point, criterion, names) {
    const { where, what } = words(point, criterion);
    const line = command(point, criterion);
    readout.replaceChildren(el("p", {}, el("b", { text: names.join(", ") }), where ? " · " + where : "", " · ", el("b", { text: what })),
      el("div", { class: "command" }, el("div", { class: "line" }, el("code", { tabindex: "0", text: line }),
        el("button", { type: "button", class: "copy", "data-copy": line, "aria-label": "Copy: " + line, text: "Copy" }))));
  }

  function map({ names, criterion }, colours) {
    const found = metric();
    const rows = state.y >= 0 ? vary[state.y].values : [""], columns = state.x >= 0 ? vary[state.x].values : [""];
    const cell = (row, column) => {
      const point = [...state.point];
      if (state.y >= 0) point[state.y] = row;
      if (state.x >= 0) point[state.x] = column;
      const i = at(point, criterion), value = i === undefined ? null : found.mean[i];
      const looks = value === null ? null : tint(colours.of(value));
      const made = el("td", { class: value === null ? "heat none" : "heat", tabindex: "-1", "data-row": row, "data-column": column,
        style: looks ? `background:${looks.paper};color:${looks.ink}` : null, text: value === null ? "–" : show(value) });
      const told = () => tell(point, criterion, names);
      made.addEventListener("pointerenter", () => { if (!state.chosen) told(); });
      made.addEventListener("focus", told);
      made.addEventListener("click", () => {
        maps.querySelectorAll(".chosen").forEach((other) => other.classList.remove("chosen"));
        state.chosen = state.chosen === made ? null : made;
        if (state.chosen) made.classList.add("chosen");
        told();
      });
      return made;
    };
    const shown = columns.slice(0, COLUMNS_MAX);
    // Many columns: colours only, so that the whole is seen; values are read by pointing.
    const room = Math.max(230, Math.min(mapHost.clientWidth, 560) - 90), isDense = shown.length * 44 > room;
    const widest = Math.max(...shown.map((value) => value.length)) * 8 + 12;
    const every = isDense ? Math.max(1, Math.ceil(widest / Math.max(7, room / shown.length))) : 1;
    const labels = [];
    for (let i = 0; i < shown.length; i += every) {
      labels.push(el("th", { scope: "col", colspan: Math.min(every, shown.length - i), text: shown[i] }));
    }
    const table = el("table", { class: isDense ? "heat-map dense" : "heat-map" },
      el("caption", { class: "unseen", text: `${found.name} of ${names.join(", ")}` }),
      el("thead", {}, el("tr", {}, el("td", { class: "corner" }),
        ...labels)),
      el("tbody", {}, ...rows.map((value, row) => el("tr", {}, el("th", { scope: "row", text: value }),
        ...shown.map((_, column) => cell(row, column))))));
    // One cell takes the Tab key, the arrows go from there.
    table.querySelector("td.heat").tabIndex = 0;
    table.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
      const from = event.target.closest("td.heat");
      if (!step || !from) return;
      const to = table.querySelector(`td[data-row="${Number(from.dataset.row) + step[0]}"][data-column="${Number(from.dataset.column) + step[1]}"]`);
      if (!to) return;
      event.preventDefault();
      from.tabIndex = -1; to.tabIndex = 0; to.focus();
    });
    return el("article", { class: "panel" }, el("h3", { text: names.join(", ") }),
      el("p", { class: "plot-title", text: state.x >= 0 ? `across: ${vary[state.x].key}${state.y >= 0 ? `; down: ${vary[state.y].key}` : ""}` : "" }),
      el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `Map of ${names.join(", ")}` }, table),
      columns.length > COLUMNS_MAX ? el("p", { class: "hint", text: `The first ${COLUMNS_MAX} of ${columns.length} columns.` }) : "");
  }

  function paintRamp(colours) {
    const stops = Array.from({ length: 9 }, (_, i) => tint(i / 8).paper).join(",");
    ramp.replaceChildren(el("span", { text: show(colours.low) }), el("span", { class: "bar", style: `background:linear-gradient(90deg,${stops})` }),
      el("span", { text: show(colours.high) }));
    ramp.hidden = !(colours.high > colours.low);
  }

  const tools = el("div", { class: "tools" });
  function buildTools() {
    const keys = vary.map(({ key }, i) => [i, key]);
    const others = (chosen) => keys.filter(([i]) => i !== chosen);
    tools.replaceChildren(
      choose("metric", metrics.map(({ name, unit }, i) => [i, unit === "count" ? name : `${name} (${unit})`]), state.metric, (i) => { state.metric = i; build(); }),
      vary.length > 2 ? choose("across", keys, state.x, (i) => { if (i === state.y) state.y = state.x; state.x = i; build(); }) : "",
      vary.length > 2 ? choose("down", others(state.x), state.y, (i) => { state.y = i; build(); }) : "",
      vary.length === 2 ? button("Turn", "Exchange rows and columns", () => { [state.x, state.y] = [state.y, state.x]; build(); }) : "",
      ...keys.filter(([i]) => i !== state.x && i !== state.y).map(([i, key]) =>
        choose(key, vary[i].values.map((value, n) => [n, value]), state.point[i], (n) => { state.point[i] = n; build(); })));
  }

  function build() {
    state.chosen = null;
    buildTools();
    about.textContent = data.meanings[state.metric];
    const colours = scale();
    paintRamp(colours);
    const found = groups();
    maps.replaceChildren(...found.slice(0, PANELS_MAX).map((group) => map(group, colours)));
    readout.replaceChildren(el("p", { class: "hint", text: "Point at a cell for its value, its interval and the command that repeats it; a click holds it. With the keyboard: Tab and the arrows." }));
    mapHost.dataset.metric = metric().name;
    buildLines();
  }

  // The lines: one chart for each value of one further key.
  const lineTools = el("div", { class: "tools" }), linePanels = el("div", { class: "maps" });
  function buildLines() {
    if (!lineHost) return;
    state.charts.forEach((chart) => chart.destroy());
    state.charts = [];
    linePanels.replaceChildren();
    if (state.lineX >= vary.length) state.lineX = vary.length - 1;
    const split = vary.map((_, i) => i).filter((i) => i !== state.lineX).pop() ?? -1;
    lineTools.replaceChildren(
      vary.length > 1 ? choose("along", vary.map(({ key }, i) => [i, key]), state.lineX, (i) => { state.lineX = i; buildLines(); }) : "",
      el("span", { class: "range", text: `${metric().name}; bands: 95 % ${metric().method || "interval"}` }));
    const found = groups();
    lineTools.after(lineLegend = replaceLegend(found));
    const panels = split < 0 ? [0] : vary[split].values.map((_, n) => n);
    // All boxes first: how wide each is depends on how many there are.
    const boxes = panels.slice(0, PANELS_MAX).map((n) => linePanel(split, n));
    boxes.forEach((box, n) => lineChart(found, split, panels[n], box));
    if (panels.length > PANELS_MAX) linePanels.append(el("p", { class: "hint", text: `The first ${PANELS_MAX} of ${panels.length} values.` }));
  }
  let lineLegend = null;
  function replaceLegend(found) {
    lineLegend?.remove();
    return plot.legend(found.map(({ names }, i) => ({ name: names.join(", "), ...plot.look(i) })));
  }

  function linePanel(split, n) {
    const box = el("div", { class: "plot", "data-plot": "lines" }), told = el("p", { class: "readout" });
    const title = split >= 0 ? `${vary[split].key} = ${vary[split].values[n]}` : metric().name;
    linePanels.append(el("article", { class: "panel" }, el("h3", { text: title }), box,
      el("p", { class: "plot-title axis-name", text: vary[state.lineX].key }), told));
    return { box, told };
  }

  function lineChart(found, split, n, { box, told }) {
    const key = vary[state.lineX], { mean, low, high, unit } = metric();
    const isNumeric = key.numbers.every((value) => value !== null);
    const points = key.values.map((_, i) => i);
    const order = isNumeric ? points.slice().sort((a, b) => key.numbers[a] - key.numbers[b]) : points;
    const xs = order.map((i) => isNumeric ? key.numbers[i] : i);
    // Even ratios are drawn evenly.
    const isLog = isNumeric && xs.length > 2 && xs[0] > 0 && xs[xs.length - 1] / xs[0] >= 50;
    const value = (column, criterion) => order.map((i) => {
      const point = [...state.point];
      point[state.lineX] = i;
      if (split >= 0) point[split] = n;
      const cell = at(point, criterion);
      return cell === undefined ? null : column[cell];
    });
    const lines = [xs], series = [{}], bands = [];
    found.forEach(({ criterion }, i) => {
      const look = plot.look(i);
      const base = lines.length;
      lines.push(value(high, criterion), value(low, criterion), value(mean, criterion));
      series.push({ stroke: "transparent", points: { show: false } }, { stroke: "transparent", points: { show: false } },
        { stroke: look.colour, dash: look.dash, width: 2, points: { show: true, size: 6, fill: look.colour, stroke: look.colour } });
      bands.push({ series: [base, base + 1], fill: fade(look.colour) });
    });
    const axis = { stroke: () => colour("soft"), grid: { stroke: () => colour("grid"), width: 1 }, ticks: { stroke: () => colour("grid"), size: 5 }, font: "11px system-ui, sans-serif" };
    const reach = mean.concat(high).filter((value) => value !== null);
    const top = unit === "share" ? 1 : reach.reduce((a, b) => Math.max(a, b), 0), bottom = mean.concat(low).reduce((a, b) => b === null ? a : Math.min(a, b), 0);
    const chart = new uPlot({
      width: Math.max(220, box.clientWidth), height: 210, series, bands, legend: { show: false }, padding: [10, 22, 0, 0],
      scales: { x: { time: false, distr: isLog ? 3 : 1, range: (u, low, high) => isLog ? [low / 1.1, high * 1.1] : [low - (high - low) * 0.03 - 1e-9, high + (high - low) * 0.03 + 1e-9] },
        y: { range: () => [Math.min(0, bottom), top > 0 ? top * 1.06 : 1] } },
      axes: [
        { ...axis, size: 30, splits: () => xs, values: (u) => labels(u, xs, order.map((i) => key.values[i])), filter: (u, splits) => splits },
        { ...axis, size: plot.AXIS, values: (u, splits) => splits.map((value) => show(value)), space: 30 },
      ],
      cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
      hooks: { setCursor: [(u) => {
        const i = u.cursor.idx;
        told.replaceChildren();
        if (i === null || i === undefined || u.cursor.left < 0) { told.append("Point at the chart to read values."); return; }
        told.append(el("b", { text: `${key.key} = ${key.values[order[i]]}` }));
        found.forEach(({ names }, g) => {
          const [up, down, middle] = [lines[1 + 3 * g][i], lines[2 + 3 * g][i], lines[3 + 3 * g][i]];
          told.append(` · ${names.join(", ")}: ${show(middle)}${down === null || down === up ? "" : ` (${show(down)} to ${show(up)})`}`);
        });
      }] },
    }, lines, box);
    told.append("Point at the chart to read values.");
    state.charts.push(chart);
  }
  const fade = (text) => {
    const [r, g, b] = [1, 3, 5].map((i) => parseInt(text.slice(i, i + 2), 16));
    return `rgba(${r},${g},${b},.18)`;
  };
  /** As many labels as there is room for, from the right: on an axis of ratios it is fullest there. */
  function labels(u, xs, values) {
    const shown = values.map(() => "");
    let free = Infinity;
    for (let i = xs.length - 1; i >= 0; i--) {
      const middle = u.valToPos(xs[i], "x"), half = values[i].length * 3.6 + 5;
      if (middle + half > free) continue;
      shown[i] = values[i];
      free = middle - half;
    }
    return shown;
  }

  mapHost.append(tools, about, ramp, readout, maps);
  if (lineHost) lineHost.append(lineTools, linePanels);
  build();
  let width = mapHost.clientWidth;
  new ResizeObserver(() => { if (mapHost.clientWidth !== width) { width = mapHost.clientWidth; buildLines(); } }).observe(mapHost);
  isrlab.onRepaint(build);
})();
