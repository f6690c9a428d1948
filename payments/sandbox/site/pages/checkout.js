/* The pages work without this script. It fills in test cards immediately and updates the total when the country changes. */
const form = document.getElementById("pay");
const byId = (id) => document.getElementById(id);

function fillCard(button) {
  const set = (id, value) => {
    const input = byId(id);
    input.value = value;
    input.removeAttribute("aria-invalid");
  };
  const later = new Date().getFullYear() + 8;
  set("number", button.dataset.number);
  set("expiry", `12 / ${String(later).slice(2)}`);
  set("cvc", button.dataset.cvc);
  if (byId("name").value === "") set("name", "Test Customer");
  byId("submit").focus();
}

for (const button of document.querySelectorAll(".test-card")) {
  button.addEventListener("click", (event) => {
    event.preventDefault();
    fillCard(button);
  });
}

byId("number")?.addEventListener("input", ({ target }) => {
  if (target.selectionStart !== target.value.length) return;
  target.value = target.value
    .replace(/\D/g, "")
    .slice(0, 19)
    .replace(/(\d{4})(?=\d)/g, "$1 ");
});
byId("expiry")?.addEventListener("input", (event) => {
  const { target } = event;
  if (event.inputType?.startsWith("delete")) return;
  if (/^\d{2}$/.test(target.value)) target.value += " / ";
});

let pays = false;
form?.addEventListener("submit", (event) => {
  if (pays) return event.preventDefault();
  pays = true;
  byId("submit").setAttribute("aria-disabled", "true");
  byId("submit-label").textContent = form.dataset.pending;
});
// A page restored from the browser's cache must work again.
addEventListener("pageshow", ({ persisted }) => persisted && location.reload());

/** Answers may arrive in another order than they were requested in, and only the newest is for what the form says now. */
let newestRequest = 0;
async function refreshPrice() {
  newestRequest += 1;
  const request = newestRequest;
  const country = byId("country");
  const vat = document.querySelector(".vat");
  vat.hidden = country.selectedOptions[0]?.dataset.vat !== "yes";
  const query = new URLSearchParams({ country: country.value, vatId: vat.hidden ? "" : byId("vatId").value });
  try {
    const answer = await fetch(`${location.pathname}/price?${query}`);
    if (!answer.ok) return;
    const price = await answer.json();
    if (request !== newestRequest) return;
    byId("sum").innerHTML = price.table;
    byId("total-large").textContent = price.total;
    byId("submit-label").textContent = price.label;
    byId("shown").value = price.due;
  } catch {
    // The server reports it before charging a sum other than the one shown.
  }
}
if (form?.dataset.price) {
  byId("country").addEventListener("change", refreshPrice);
  byId("vatId").addEventListener("change", refreshPrice);
}
(document.querySelector("[aria-invalid]") ?? byId("alert"))?.focus();
