// The page of a check: links open the counterexample they lead to; arrows walk through its steps.
"use strict";
(() => {
  function open() {
    const found = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!found || found.tagName !== "DETAILS") return;
    found.open = true;
    found.scrollIntoView();
  }
  addEventListener("hashchange", open);
  open();

  // In a counterexample the arrow keys go from step to step.
  document.addEventListener("keydown", (event) => {
    const box = event.target.closest(".trace .scroll");
    if (!box || !["ArrowDown", "ArrowUp"].includes(event.key)) return;
    event.preventDefault();
    const rows = [...box.querySelectorAll("tbody tr")];
    const now = rows.findIndex((row) => row.classList.contains("now"));
    const next = Math.max(0, Math.min(rows.length - 1, now + (event.key === "ArrowDown" ? 1 : -1)));
    rows.forEach((row, i) => row.classList.toggle("now", i === next));
    rows[next].scrollIntoView({ block: "nearest" });
  });
  document.addEventListener("click", (event) => {
    const row = event.target.closest("table.sequence tbody tr");
    if (!row) return;
    row.parentNode.querySelector("tr.now")?.classList.remove("now");
    row.classList.add("now");
  });
})();
