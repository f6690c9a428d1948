/** PostHog, using only its capture call: its script is not loaded, and only what this file sends is recorded. */
import { anonymousId } from "../browser/anonymous-id.ts";
import type { AnalyticsAdapter } from "./events.ts";

/** Page events follow 500 ms after the navigation. */
const pageDelayMs = 500;

export function postHogAdapter({ key, host }: { key: string; host: string }, send: typeof fetch = fetch.bind(window)): AnalyticsAdapter {
  let personId: string | null = null;
  const capture = (event: string, properties: object = {}) => {
    const body = {
      api_key: key,
      event,
      distinct_id: personId ?? anonymousId(),
      timestamp: new Date().toISOString(),
      properties: { $lib: "slipway", ...properties },
    };
    send(`${host}/i/v0/e/`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      credentials: "omit",
      referrerPolicy: "no-referrer",
      // Signing out or following a link to another site ends the page before the answer.
      keepalive: true,
    }).catch((cause: unknown) => console.warn("An analytics event could not be sent.", cause));
  };
  return {
    pageDelayMs,
    identify(person) {
      if (!person) return void (personId = null);
      const { id, ...fields } = person;
      personId = id;
      capture("$identify", { $anon_distinct_id: anonymousId(), $set: fields });
    },
    page: (path) => capture("$pageview", { $pathname: path, $current_url: location.origin + path }),
    track: (name, fields) => capture(name, fields),
  };
}
