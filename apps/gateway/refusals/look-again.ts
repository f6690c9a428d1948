/** The script of a refusal's page that can expect a change. */

/**
 * A page that reloads on a timer sends a screen reader back to its beginning each time. This one stays open and reloads only when the
 * response changes. Until then it updates its text, progress bar and ship, and after a minute it says that this is taking longer than
 * usual. It sends requests like a browser, which are answered immediately and take no place in the waiting room. It requests the first
 * page, because the current URL may have side effects. A page of a proxy, and a failed request, say nothing about the workspace.
 *
 * While nothing changes its pauses double, to a minute; those of a start only after its first minute. They vary at random, so that many
 * pages do not return together. A hidden page waits until it is visible, because each request may wake the workspace.
 */
export const lookAgain = `
const { code, seconds } = document.currentScript.dataset;
const find = (name) => document.querySelector(name);
const longestMs = 60000;
let pauseMs = seconds * 1000;
let waitedMs = 0;
let isDue = false;
const later = (leastMs) => {
  const ms = Math.max(pauseMs, leastMs) * (1 + Math.random() / 4);
  waitedMs += ms;
  setTimeout(look, ms);
};
const show = (text) => {
  const news = new DOMParser().parseFromString(text, "text/html").querySelector("#detail");
  if (news && news.textContent !== find("#detail").textContent) find("#detail").textContent = news.textContent;
  const [, place, value] = text.match(/id="hull" transform="([^"]+)"[^]*<progress[^>]* value="(\\d+)"/) || [];
  if (!value || find("#percent").textContent === value + " %") return false;
  find("progress").value = value;
  find("#percent").textContent = value + " %";
  find("#hull").setAttribute("transform", place);
  return true;
};
const look = async () => {
  isDue = document.hidden;
  if (isDue) return;
  let leastMs = 0;
  let hasMoved = false;
  try {
    const answer = await fetch("/", { headers: { accept: "text/html" }, cache: "no-store", redirect: "manual", signal: AbortSignal.timeout(10000) });
    // The status of a redirect is 0 here.
    if (answer.status < 500 && answer.status !== 429) return location.reload();
    leastMs = Math.min(Number(answer.headers.get("retry-after")) || 0, 300) * 1000;
    const text = await answer.text();
    const [, answered] = text.match(/data-code="(\\w+)"/) || [];
    if (answered && answered !== code) return location.reload();
    if (answered) hasMoved = show(text);
  } catch {}
  const late = find("#late");
  if (late && waitedMs > longestMs) late.hidden = false;
  if (hasMoved) pauseMs = seconds * 1000;
  else if (!find("progress") || waitedMs > longestMs) pauseMs = Math.min(pauseMs * 2, longestMs);
  later(leastMs);
};
document.addEventListener("visibilitychange", () => {
  if (isDue && !document.hidden) look();
});
later(0);
`;
