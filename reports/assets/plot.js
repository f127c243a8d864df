// What all charts have in common: looks, axes, zoom. One zoom for all charts of a group.
"use strict";
isrlab.plot = (() => {
  const { colour, el, trimmed } = isrlab;
  const DASHES = [[], [7, 3], [2, 2], [9, 3, 2, 3], [12, 4], [5, 2, 1, 2, 1, 2], [4, 4], [14, 3, 4, 3]];
  const AXIS = 62;
  const look = (index) => ({ colour: colour("c" + (index % 8)), dash: DASHES[index % 8] });

  /** A short line as it is drawn, for legends. */
  function sample(stroke, dash, width = 2) {
    const box = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    box.setAttribute("width", 26); box.setAttribute("height", 8); box.setAttribute("aria-hidden", "true");
    const line = document.createElementNS("http://www.w3.org/2000/svg", "line");
    for (const [name, value] of Object.entries({
      x1: 0, x2: 26, y1: 4, y2: 4, stroke, "stroke-width": width, "stroke-dasharray": dash.join(" "),
    })) line.setAttribute(name, value);
    box.append(line);
    return box;
  }
  const legend = (entries) => el("ul", { class: "legend" },
    ...entries.map(({ name, colour, dash, width }) => el("li", {}, sample(colour, dash, width), name)));

  const decimals = (step) => Math.max(0, Math.min(9, Math.ceil(-Math.log10(step) - 1e-9)));
  /** Labels of seconds, as precise as the ticks are apart. */
  const secondLabels = (u, splits) => {
    const step = splits.length > 1 ? splits[1] - splits[0] : 1;
    const places = decimals(step);
    return splits.map((at) => at.toFixed(places) + " s");
  };
  const short = (value) => {
    const size = Math.abs(value);
    if (size >= 1e9) return trimmed(value / 1e9, 2) + "G";
    if (size >= 1e6) return trimmed(value / 1e6, 2) + "M";
    if (size >= 1e5) return trimmed(value / 1e3, 1) + "k";
    return isrlab.grouped(trimmed(value, 3));
  };

  function axes({ showX, yLabels, yIncrs, ySpace, width }) {
    const line = { stroke: () => colour("soft"), grid: { stroke: () => colour("grid"), width: 1 },
      ticks: { stroke: () => colour("grid"), width: 1, size: 5 }, font: "11px system-ui, sans-serif" };
    return [
      { ...line, values: secondLabels, size: showX ? 30 : 0, show: true,
        ...(showX ? {} : { values: (u, splits) => splits.map(() => ""), ticks: { show: false } }),
        space: width < 500 ? 70 : 90 },
      { ...line, size: AXIS, values: yLabels, ...(yIncrs ? { incrs: yIncrs } : {}), space: ySpace || 28 },
    ];
  }

  /** The times of a group of charts: what is seen of the whole, and who is told of it. */
  function view(whole, least) {
    const listeners = [];
    const self = {
      whole, from: whole[0], to: whole[1],
      onChange: (listener) => listeners.push(listener),
      set(from, to) {
        let width = Math.max(least, Math.min(to - from, whole[1] - whole[0]));
        let start = (from + to - width) / 2;
        start = Math.max(whole[0], Math.min(start, whole[1] - width));
        self.from = start; self.to = start + width;
        listeners.forEach((listener) => listener());
      },
      zoom(factor, at = (self.from + self.to) / 2) {
        self.set(at - (at - self.from) * factor, at + (self.to - at) * factor);
      },
      pan(share) { const by = (self.to - self.from) * share; self.set(self.from + by, self.to + by); },
      reset() { self.set(...whole); },
    };
    return self;
  }

  /** Dragging selects, Ctrl and the wheel zoom, sideways scrolling pans, two fingers pinch. */
  function listen(u, view) {
    const over = u.over;
    const timeAt = (clientX) => u.posToVal(clientX - over.getBoundingClientRect().left, "x");
    over.addEventListener("wheel", (event) => {
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault();
        view.zoom(Math.exp(Math.max(-1, Math.min(1, event.deltaY / 200))), timeAt(event.clientX));
      } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        event.preventDefault();
        view.pan((event.deltaX || event.deltaY) / Math.max(200, over.clientWidth));
      }
    }, { passive: false });
    over.addEventListener("dblclick", () => view.reset());
    let pinch = null;
    over.addEventListener("touchstart", (event) => {
      if (event.touches.length !== 2) { pinch = null; return; }
      const [a, b] = event.touches;
      pinch = { from: view.from, to: view.to, a: timeAt(a.clientX), b: timeAt(b.clientX) };
    }, { passive: true });
    over.addEventListener("touchmove", (event) => {
      if (!pinch || event.touches.length !== 2) return;
      event.preventDefault();
      const left = over.getBoundingClientRect().left, width = over.clientWidth;
      const [x1, x2] = [event.touches[0].clientX - left, event.touches[1].clientX - left];
      if (Math.abs(x2 - x1) < 10) return;
      // The two times stay under the two fingers.
      const scale = (pinch.b - pinch.a) / (x2 - x1);
      view.set(pinch.a - x1 * scale, pinch.a + (width - x1) * scale);
    }, { passive: false });
  }

  const follows = (type) => type === "mousemove" || type === "mouseleave";

  /** A chart over a view. `draw` paints behind the lines, `top` before them. */
  function chart({ box, view, height, series, data, range, showX = true, yLabels, yIncrs, ySpace, behind, before, hover }) {
    const width = Math.max(220, box.clientWidth);
    const options = {
      width, height, series: [{}, ...series], legend: { show: false },
      padding: [6, 24, showX ? 0 : 2, 0],
      scales: {
        x: { time: false, range: () => [view.from, view.to] },
        y: { range },
      },
      axes: axes({ showX, yLabels, yIncrs, ySpace, width }),
      cursor: {
        // Others follow where one points, not what one drags: each would zoom once more.
        sync: { key: "isrlab", filters: { pub: follows, sub: follows } }, points: { show: false }, y: false,
        drag: { x: true, y: false, setScale: false },
        bind: { dblclick: () => null },
      },
      hooks: {
        drawClear: behind ? [behind] : [],
        draw: before ? [before] : [],
        setSelect: [(u) => {
          if (u.select.width < 4) return;
          const from = u.posToVal(u.select.left, "x"), to = u.posToVal(u.select.left + u.select.width, "x");
          u.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
          view.set(from, to);
        }],
        setCursor: hover ? [(u) => hover(u.cursor.left >= 0 ? u.posToVal(u.cursor.left, "x") : null)] : [],
      },
    };
    const u = new uPlot(options, data, box);
    listen(u, view);
    return u;
  }

  /** Paints in CSS pixels within the plotting area. */
  function paint(u, work) {
    const { ctx, bbox } = u, ratio = devicePixelRatio || 1;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    ctx.translate(bbox.left, bbox.top);
    ctx.scale(ratio, ratio);
    ctx.textAlign = "left";
    ctx.textBaseline = "middle";
    const width = bbox.width / ratio, height = bbox.height / ratio;
    const x = (at) => (at - u.scales.x.min) / (u.scales.x.max - u.scales.x.min) * width;
    const y = (value) => u.valToPos(value, "y", false);
    work({ ctx, width, height, x, y });
    ctx.restore();
  }

  /** Faults as grey bands; what is over at once as a line. */
  function bands(u, faults) {
    paint(u, ({ ctx, height, width, x }) => {
      ctx.fillStyle = colour("band");
      ctx.strokeStyle = colour("soft");
      for (const { windows } of faults) {
        for (const [from, to] of windows) {
          const left = x(from), right = x(to);
          if (right < 0 || left > width) continue;
          if (to > from) ctx.fillRect(left, 0, Math.max(1, right - left), height);
          else { ctx.beginPath(); ctx.setLineDash([1, 2]); ctx.moveTo(left, 0); ctx.lineTo(left, height); ctx.stroke(); }
        }
      }
    });
  }

  return { look, legend, view, chart, paint, bands, short, AXIS };
})();
