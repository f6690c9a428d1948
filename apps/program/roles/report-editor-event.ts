/**
 * Sends events of a workspace's editor to the operator's analytics. The editor cannot ask its user for consent, so events are anonymous:
 * each has a new visitor id and carries only its name.
 */
import { randomUUID } from "node:crypto";
import { secondMs } from "#platform/clock.ts";
import type { Log } from "#platform/log.ts";

const timeoutMs = 5 * secondMs;

/** Sends without waiting for the response; a lost event only makes a figure one too low. */
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
