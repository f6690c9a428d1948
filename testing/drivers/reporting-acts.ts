/** What a reporting workspace (reporting-workspace.mjs) can be asked to do, for every driver's harness. */
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fetchOver } from "#platform/lines/fetch-over.ts";
import type { LineKeys } from "#platform/lines/line-keys.ts";
import { readAddress, type Line } from "#platform/lines/open-line.ts";
import type { Driver } from "#apps/provisioner/drivers/driver.ts";
import type { DriverHarness, Post } from "./driver-harness.ts";

/** Makes the workspace do something; rejects with its error. */
export type Act = (workspaceId: string, name: string, body?: object) => Promise<unknown>;

interface ActOptions {
  /** Until it answers. */
  timeoutMs: number;
  everyMs?: number;
  post?: Post;
}

/** A workspace may take long to do what it is asked. */
const postTimeoutMs = 60_000;

/** Calls workspaces that prove their names by these keys; `open` where this process does not reach their addresses. */
export const postOver =
  (keys?: LineKeys, open?: (line: Line) => Promise<Socket>): Post =>
  async (address, name, body) => {
    const line = readAddress(address, keys);
    const asked = { path: `/${name}`, method: "POST", body: JSON.stringify(body), signal: AbortSignal.timeout(postTimeoutMs) } as const;
    const socket = open && (await open(line));
    return socket ? fetchOver(line, asked, () => socket) : fetchOver(line, asked);
  };

/** Calls workspaces at the addresses that the driver observes, until they answer. */
export function actThrough(driver: Driver, { timeoutMs, everyMs = 20, post = postOver() }: ActOptions): Act {
  return async (workspaceId, name, body = {}) => {
    for (const deadline = performance.now() + timeoutMs; ; await sleep(everyMs)) {
      const { address, state, waitsFor } = await driver.observe(workspaceId);
      const response = address && (await post(address, name, body).catch(() => undefined));
      if (response) {
        const answer = (await response.json()) as { error?: string };
        if (!response.ok) throw new Error(answer.error);
        return answer;
      }
      if (performance.now() > deadline)
        throw new Error(
          `the workspace is ${state}${waitsFor === undefined ? "" : ` (${waitsFor})`} and does not answer: ${await driver.logs(workspaceId, 2_000)}`,
        );
    }
  };
}

/** The members of a harness that need only that. */
export const reportingActs = (act: Act): Pick<DriverHarness, "store" | "stored" | "makeStubborn"> => ({
  store: async (workspaceId, path, content) => void (await act(workspaceId, "write", { path, content })),
  stored: (workspaceId, path) =>
    (act(workspaceId, "read", { path }) as Promise<{ content: string }>).then(
      ({ content }) => content,
      () => undefined,
    ),
  makeStubborn: async (spec) => ({ ...spec, command: [...spec.command, "stubborn"] }),
});
