/** Answers a call that is refused because the plan's executions are used, in the caller's format. */
import type { Response } from "./handler.mts";
import { sendDocument } from "./page.mts";

const hourSeconds = 3600;

/** 429 if the next usage period lifts it, otherwise 402. A stranger learns when to retry, and nothing about the plan. */
export function sendRefusedCall(accept: string | undefined, response: Response, nextPeriod: string | undefined, now: Date): void {
  const status = nextPeriod === undefined ? 402 : 429;
  const title = "This workspace has used all of its executions";
  const day =
    nextPeriod && new Date(nextPeriod).toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
  const detail = `Nothing was run. ${day ? `It accepts calls again on ${day}, or as soon as its owner chooses a larger plan.` : "It accepts calls again once its owner chooses a larger plan."}`;
  // Its owner may choose another plan at any time, so callers retry within the hour.
  const seconds =
    nextPeriod === undefined ? hourSeconds : Math.min(hourSeconds, Math.ceil((Date.parse(nextPeriod) - now.getTime()) / 1000));
  response.set("Retry-After", String(Math.max(1, seconds))).set("Cache-Control", "no-store");
  if (accept?.includes("text/html")) return sendDocument(response, status, { heading: title, sentences: [detail] });
  if (accept?.includes("text/plain") && !accept.includes("json"))
    return void response.status(status).type("text/plain").send(`${title}. ${detail}\n`);
  response
    .status(status)
    .type("application/problem+json")
    .send(
      `${JSON.stringify({ type: "about:blank", title, status, code: "executions_used_up", detail, message: `${title}. ${detail}` })}\n`,
    );
}
