// What every page has: light and dark, tables that sort, commands that are copied, printing.
"use strict";
const isrlab = (() => {
  const root = document.documentElement;
  const listeners = [];

  // Light or dark: as the system says, until the button is used. Kept where the browser allows it.
  const theme = document.getElementById("theme");
  const stored = (() => { try { return localStorage.getItem("isrlab-theme"); } catch { return null; } })();
  if (stored === "light" || stored === "dark") root.dataset.theme = stored;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => root.dataset.theme ? root.dataset.theme === "dark" : system.matches;
  const repaint = () => listeners.forEach((listener) => listener());
  theme.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    try { localStorage.setItem("isrlab-theme", root.dataset.theme); } catch { /* It lasts as long as the page. */ }
    repaint();
  });
  system.addEventListener("change", repaint);

  const colour = (name) => getComputedStyle(root).getPropertyValue("--" + name).trim();

  // Tables: a click on a head sorts, another turns it round. Rows without a value stay last.
  const key = (cell) => cell.dataset.sort !== undefined ? cell.dataset.sort : cell.textContent.trim();
  function sort(table, column, descending) {
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row, at) => ({ row, at, key: key(row.cells[column]) }));
    const numeric = rows.every(({ key }) => key === "" || !isNaN(Number(key)));
    const compare = numeric ? (a, b) => Number(a) - Number(b) : (a, b) => a.localeCompare(b, "en", { numeric: true });
    rows.sort((a, b) => {
      if (a.key === "" || b.key === "") return (a.key === "") - (b.key === "") || a.at - b.at;
      return (descending ? compare(b.key, a.key) : compare(a.key, b.key)) || a.at - b.at;
    });
    body.append(...rows.map(({ row }) => row));
  }
  document.addEventListener("click", (event) => {
    const button = event.target.closest("table.sorts th button");
    if (!button) return;
    const head = button.closest("th"), table = head.closest("table");
    const before = head.getAttribute("aria-sort");
    const descending = before === "ascending" || (before === "none" && head.classList.contains("num"))
      ? before !== "descending" : false;
    for (const other of head.parentNode.cells) other.setAttribute("aria-sort", "none");
    head.setAttribute("aria-sort", descending ? "descending" : "ascending");
    sort(table, head.cellIndex, descending);
  });

  // Commands.
  async function copy(text) {
    try { await navigator.clipboard.writeText(text); return true; } catch { /* Files have no clipboard everywhere. */ }
    const area = document.createElement("textarea");
    area.value = text;
    area.style.position = "fixed";
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("button.copy");
    if (!button) return;
    const done = await copy(button.dataset.copy);
    button.textContent = done ? "Copied" : "Select it, and copy";
    setTimeout(() => { button.textContent = "Copy"; }, 1600);
  });

  // Paper is white, and shows what is folded away, too.
  let opened = [], before = null;
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:not([open])")];
    opened.forEach((details) => { details.open = true; });
    if (!isDark()) return;
    before = { theme: root.dataset.theme };
    root.dataset.theme = "light";
    repaint();
  });
  addEventListener("afterprint", () => {
    opened.forEach((details) => { details.open = false; });
    if (!before) return;
    if (before.theme) root.dataset.theme = before.theme; else delete root.dataset.theme;
    before = null;
    repaint();
  });

  // Small helpers for the pages' own scripts.
  const el = (tag, attributes = {}, ...children) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value === null || value === undefined || value === false) continue;
      if (name === "text") made.textContent = value;
      else if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
      else made.setAttribute(name, value === true ? "" : value);
    }
    made.append(...children.filter((child) => child !== null && child !== undefined));
    return made;
  };
  const grouped = (value) => {
    const [whole, part] = String(value).split(".");
    return whole.replace(/\B(?=(\d{3})+(?!\d))/g, ",") + (part ? "." + part : "");
  };
  const trimmed = (value, decimals) => {
    const text = value.toFixed(decimals);
    return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
  };
  /** A length of time in milliseconds, for people. */
  const duration = (ms) => {
    const size = Math.abs(ms);
    if (size === 0) return "0";
    if (size < 1) return trimmed(ms * 1000, 1) + " µs";
    if (size < 1000) return trimmed(ms, size < 100 ? 2 : 0) + " ms";
    if (size < 600000) return trimmed(ms / 1000, size < 100000 ? 3 : 1) + " s";
    if (size < 86400000) return trimmed(ms / 60000, 1) + " min";
    if (size < 63072000000) return trimmed(ms / 86400000, 1) + " days";
    return grouped(trimmed(ms / 31557600000, 1)) + " years";
  };
  const data = () => {
    const script = document.getElementById("data");
    return script ? JSON.parse(script.textContent) : null;
  };
  return { root, colour, isDark, onRepaint: (listener) => listeners.push(listener), el, grouped, trimmed, duration, data, sort };
})();
