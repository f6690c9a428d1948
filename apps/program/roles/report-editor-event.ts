/**
 * Events of a workspace's editor, for the operator's analytics. The editor has no way to ask its user for consent, so nothing says
 * who it was: each event comes from a visitor of its own, with its name alone.
 */
import { randomUUID } from "node:crypto";
import { secondMs } from "#platform/clock.ts";
import type { Log } from "#platform/log.ts";

const timeoutMs = 5 * secondMs;

/** Sends without waiting for an answer: an event that gets lost is a figure that is one too low. */
export function createEditorEventReporter({ key, host }: { key: string; host: string }, log: Log): (name: string) => void {
  return (name) => {
    const body = {
      api_key: key,
      event: "Editor event",
      distinct_id: randomUUID(),
      properties: { name, $process_person_profile: false, $geoip_disable: true },
    };
    void fetch(`${host}/capture/`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    })
      .then((response) => response.body?.cancel())
      .catch((err: unknown) => log.debug({ err }, "an editor event did not reach analytics"));
  };
}
