/*
 * What the reference's page does with a script: find a call, open the one an address names, copy an example, and send a call with the
 * reader's own session. describe-api.ts puts this file into the page. Without it everything can still be read.
 */
const words = JSON.parse(document.body.dataset.words);
const entries = [...document.querySelectorAll("details[data-call]")];
/** A stream of events has no end, and an export may be large: the page shows this much, and waits this long. */
const shownBytes = 65536;
const waitMs = 15000;

function element(name, attributes, ...children) {
  const made = Object.assign(document.createElement(name), attributes);
  made.append(...children);
  return made;
}

function findCalls() {
  const box = document.querySelector("#find");
  const none = document.querySelector("#found-none");
  box.closest(".find").hidden = false;
  box.addEventListener("input", () => {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const entry of entries) {
      const text = entry.querySelector("summary").textContent.toLowerCase();
      entry.hidden = !words.every((word) => text.includes(word));
    }
    for (const section of document.querySelectorAll("section[data-calls]"))
      section.hidden = ![...section.querySelectorAll("details[data-call]")].some((entry) => !entry.hidden);
    none.hidden = entries.some((entry) => !entry.hidden);
  });
  addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, textarea, select");
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      box.focus();
    }
  });
}

function openNamed() {
  let id = location.hash.slice(1);
  try {
    id = decodeURIComponent(id);
  } catch {
    // Not an address of this page.
  }
  const named = document.getElementById(id);
  if (!named?.matches("details")) return;
  named.open = true;
  named.scrollIntoView();
}

function addCopyButtons() {
  for (const example of document.querySelectorAll("pre[data-copy]")) {
    const button = element("button", { type: "button", className: "copy", textContent: words.copy });
    button.addEventListener("click", async () => {
      const done = await navigator.clipboard.writeText(example.textContent).then(
        () => words.copied,
        () => words.copyFailed,
      );
      button.textContent = done;
      setTimeout(() => (button.textContent = words.copy), 2000);
    });
    // The frame takes the example's place, so that the button stays when a long line is scrolled.
    const frame = element("div", { className: "sample" });
    example.replaceWith(frame);
    frame.append(example, button);
  }
}

/** The examples in one language, and with the address of this panel. */
function chooseExamples() {
  for (const example of document.querySelectorAll("#first-call pre")) {
    const texts = document.createTreeWalker(example, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) texts.currentNode.data = texts.currentNode.data.replace("https://panel.example.com", location.origin);
  }
  const choices = [...document.querySelectorAll("button[data-examples]")];
  const choose = (name) => {
    document.documentElement.dataset.examples = name;
    for (const choice of choices) choice.ariaPressed = String(choice.dataset.examples === name);
  };
  for (const choice of choices) choice.addEventListener("click", () => choose(choice.dataset.examples));
  choose("curl");
}

/** The menu marks the section that is read, and shows its calls. */
function followReading() {
  const places = [...document.querySelectorAll("nav > ul > li")].map((item) => {
    const link = item.querySelector("a");
    return { item, link, section: document.getElementById(link.hash.slice(1)) };
  });
  let isDue = false;
  const mark = () => {
    isDue = false;
    const read = places.findLast(({ section }) => section && !section.hidden && section.getBoundingClientRect().top < 120) ?? places[0];
    // On a phone the menu is one line that is swiped.
    if (!read.item.matches(".here")) read.item.parentElement.scrollLeft = read.link.offsetLeft - 40;
    for (const place of places) {
      place.item.classList.toggle("here", place === read);
      if (place === read) place.link.setAttribute("aria-current", "true");
      else place.link.removeAttribute("aria-current");
    }
  };
  addEventListener(
    "scroll",
    () => {
      if (!isDue) requestAnimationFrame(mark);
      isDue = true;
    },
    { passive: true },
  );
  mark();
}

/** The form is made at the first opening: eighty of them would slow the page down. */
function tryOnOpening(entry) {
  entry.addEventListener("toggle", () => entry.open && !entry.querySelector("form") && entry.querySelector(".how").append(tryForm(entry)));
}

function tryForm(entry) {
  const call = JSON.parse(entry.dataset.call);
  const changes = call.method !== "GET" && call.method !== "HEAD";
  const fields = call.parameters.map(({ name, required, place }) => ({
    name,
    place,
    input: element("input", { name, required: required && place === "path", autocomplete: "off", spellcheck: false }),
  }));
  const body = call.body
    ? element("textarea", { value: call.body, rows: Math.min(14, call.body.split("\n").length + 1), spellcheck: false })
    : undefined;
  const send = element("button", { type: "submit", textContent: words.send });
  const sure = element("input", { type: "checkbox", required: true });
  const answer = element("div", { className: "answer" });
  answer.setAttribute("role", "status");
  const form = element(
    "form",
    { className: "try" },
    element("h3", { textContent: words.tryIt }),
    element("p", { textContent: words.ownSession }),
    ...fields.map(({ name, place, input }) => element("label", {}, element("span", { textContent: `${name} (${place})` }), input)),
    ...(body ? [element("label", {}, element("span", { textContent: words.body }), body)] : []),
    ...(changes ? [element("label", { className: "sure" }, sure, words.real)] : []),
    send,
    answer,
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    send.disabled = true;
    answer.replaceChildren(element("p", { textContent: words.waiting }));
    answer.replaceChildren(...(await sendCall(call, fields, body?.value)));
    send.disabled = false;
    sure.checked = false;
  });
  return form;
}

async function sendCall(call, fields, body) {
  let path = call.path;
  const query = new URLSearchParams();
  for (const { name, place, input } of fields) {
    if (place === "path") path = path.replace(`{${name}}`, encodeURIComponent(input.value));
    else if (input.value) query.set(name, input.value);
  }
  const headers = { ...call.headers };
  if (headers["idempotency-key"]) headers["idempotency-key"] = crypto.randomUUID?.() ?? String(Date.now());
  const started = performance.now();
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(), waitMs);
  try {
    const response = await fetch(path + (query.size > 0 ? `?${query}` : ""), { method: call.method, headers, body, signal: ending.signal });
    const took = Math.round(performance.now() - started);
    const text = await readText(response);
    return [
      element(
        "p",
        {},
        element("b", { className: response.ok ? "good" : "bad", textContent: String(response.status) }),
        ` ${words.after.replace("{ms}", took)}`,
      ),
      ...(response.status === 401
        ? [element("p", {}, element("a", { href: `${document.body.dataset.panel}/login`, textContent: words.signIn }), words.signInThen)]
        : []),
      ...(text ? [Object.assign(element("pre", { textContent: text }), { tabIndex: 0 })] : []),
    ];
  } catch {
    return [
      element("p", {
        className: "bad",
        textContent: ending.signal.aborted ? words.tooLate : words.unreachable,
      }),
    ];
  } finally {
    clearTimeout(timer);
  }
}

/** The answer as text, JSON with line breaks. Reads no more than it shows. */
async function readText(response) {
  const type = response.headers.get("content-type") ?? "";
  if (!response.body) return "";
  if (!/json|text|event-stream/.test(type)) {
    void response.body.cancel();
    return `(${type || words.noType})`;
  }
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  let text = "";
  let ended = false;
  while (!ended && text.length < shownBytes) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
    ended = done;
    if (value) text += decoder.decode(value, { stream: true });
    // Events never end: the first ones are the answer.
    if (value && type.includes("event-stream")) break;
  }
  if (!ended) void reader.cancel();
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return ended ? text : `${text.slice(0, shownBytes)}\n…`;
  }
}

findCalls();
chooseExamples();
addCopyButtons();
followReading();
for (const entry of entries) tryOnOpening(entry);
openNamed();
addEventListener("hashchange", openNamed);
