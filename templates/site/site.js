// The search over the table of models; what is chosen stands in the address, so that it can be sent to somebody.
const rows = [...document.querySelectorAll("#models-table tbody tr")],
  search = document.getElementById("search"),
  filters = [...document.querySelectorAll("[data-filter]")],
  found = document.getElementById("found");
const within = (value, bounds) => {
  const [least, most] = bounds.split("-").map((bound) => (bound ? BigInt(bound) : null));
  return BigInt(value) >= least && (most === null || BigInt(value) < most);
};
const fits = (row, name, chosen) => {
  if (!chosen) return true;
  const own = row.dataset[name];
  return name === "size" ? within(own, chosen) : own.split(" ").includes(chosen);
};
const show = () => {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  let number = 0;
  for (const row of rows) {
    const text = `${row.textContent} ${row.dataset.said}`.toLowerCase();
    row.hidden = !(
      words.every((word) => text.includes(word)) && filters.every(({ dataset, value }) => fits(row, dataset.filter, value))
    );
    number += row.hidden ? 0 : 1;
  }
  found.textContent = found.dataset.found.replace("{number}", number);
  const query = new URLSearchParams(filters.filter(({ value }) => value).map(({ dataset, value }) => [dataset.filter, value]));
  if (search.value) query.set("q", search.value);
  try {
    history.replaceState(null, "", `${location.pathname}${query.size ? `#${query}` : ""}`);
  } catch {
    /* a viewer without addresses */
  }
};
const read = () => {
  const query = new URLSearchParams(location.hash.slice(1));
  search.value = query.get("q") ?? "";
  for (const filter of filters) {
    const wanted = query.get(filter.dataset.filter) ?? "";
    filter.value = [...filter.options].some(({ value }) => value === wanted) ? wanted : "";
  }
};
document.getElementById("filters").hidden = false;
read();
search.addEventListener("input", show);
for (const filter of filters) filter.addEventListener("change", show);
show();
