import { expect, test } from "vitest";
import type { ExpressApp, WebhookRequest } from "./workspace-side/internals.mts";
import { refuseManyLists } from "./workspace-side/too-many-lists.mts";

/** The body as n8n reads it, behind what the hook mounts first. */
async function read(body: string, headers: Record<string, string> = { "content-length": String(body.length) }): Promise<unknown> {
  const handlers: ((request: unknown, response: unknown, next: () => void) => void)[] = [];
  const app = { use: (handler: never) => void handlers.push(handler), router: { stack: [] as unknown[] } };
  refuseManyLists(app as unknown as ExpressApp, 1000);
  const request = { headers } as unknown as WebhookRequest;
  let went = 0;
  for (const handler of handlers) handler(request, {}, () => (went += 1));
  expect(went).toBe(1);
  request.readRawBody = async () => void (request.rawBody = Buffer.from(body));
  return request.readRawBody().then(
    () => "read",
    ({ type, status }: { type: string; status: number }) => ({ type, status }),
  );
}

test.each([
  ["lists within each other", "[".repeat(1001) + "]".repeat(1001), undefined],
  ["many empty lists", `[${"[],".repeat(1000)}0]`, undefined],
  ["many empty objects", `[${"{},".repeat(1000)}0]`, undefined],
  ["a body without a length", `[${"[],".repeat(1000)}0]`, { "transfer-encoding": "chunked" }],
  ["a compressed body", `[${"[],".repeat(1000)}0]`, { "content-length": "20", "content-encoding": "gzip" }],
])("a body that would be far more in memory than it is counts as too large: %s", async (_what, body, headers) => {
  expect(await read(body, headers)).toEqual({ type: "entity.too.large", status: 413 });
});

test.each([
  ["as many objects as allowed", `[${"{},".repeat(999)}0]`],
  ["a long text", JSON.stringify("hello ".repeat(1000))],
  ["a short body", "{}"],
])("others are read as before: %s", async (_what, body) => expect(await read(body)).toBe("read"));
