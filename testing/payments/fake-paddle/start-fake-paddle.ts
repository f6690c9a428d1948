/** A fake Paddle on loopback, with Paddle's wire format and strictness over the sandbox's tables. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { ProviderRefusal } from "#payments/payment-provider.ts";
import { minuteMs, secondMs } from "#platform/clock.ts";
import { PaddleFault, refused } from "./paddle-fault.ts";
import type { Call, FakeWorld } from "./paddle-world.ts";
import { customerCalls } from "./customer-calls.ts";
import { subscriptionCalls } from "./subscription-calls.ts";
import { transactionCalls } from "./transaction-calls.ts";

interface FakePaddle {
  url: string;
  close(): Promise<void>;
}

/** Answers calls that use this key and refuses others as Paddle does. */
export async function startFakePaddle(world: FakeWorld, apiKey: string): Promise<FakePaddle> {
  let minute = { endsAtMs: 0, calls: 0 };

  /** Over the limit, Paddle answers nothing until the minute is over, and says how long that is. */
  function refuseTooMany({ method, url }: IncomingMessage): { status: number; body: object; retryAfter: number } | null {
    world.asked.push(`${method} ${url}`);
    const nowMs = world.harness.now().getTime();
    if (nowMs >= minute.endsAtMs) minute = { endsAtMs: nowMs + minuteMs, calls: 0 };
    minute.calls += 1;
    if (world.mostPerMinute === null || minute.calls <= world.mostPerMinute) return null;
    const { body } = new PaddleFault(429, "too_many_requests", "IP address exceeded the allowed rate limit");
    return { status: 429, body: { error: body, meta }, retryAfter: Math.ceil((minute.endsAtMs - nowMs) / secondMs) };
  }

  const server = createServer((request, response) => {
    void (async () => {
      const { status, body, retryAfter } = refuseTooMany(request) ?? { ...(await answerCall(world, request, apiKey)), retryAfter: null };
      const { together } = world;
      if (together?.call.test(`${request.method} ${request.url}`)) {
        together.left -= 1;
        if (together.left === 0) {
          world.together = null;
          together.met.resolve();
        }
        await together.met.promise;
      }
      const lost = world.unanswered.findIndex((call) => call.test(`${request.method} ${request.url}`));
      if (lost >= 0) {
        world.unanswered.splice(lost, 1);
        return void request.socket.destroy();
      }
      response
        .writeHead(status, { "content-type": "application/json", ...(retryAfter !== null && { "retry-after": String(retryAfter) }) })
        .end(JSON.stringify(body));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function answerCall(world: FakeWorld, request: IncomingMessage, apiKey: string): Promise<{ status: number; body: object }> {
  try {
    let text = "";
    for await (const part of request) text += String(part);
    if (request.headers.authorization !== `Bearer ${apiKey}`)
      throw new PaddleFault(403, "authentication_malformed", "The key is not valid");
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://paddle");
    for (const call of paddleCalls) {
      const match = call.method === request.method ? call.path.exec(pathname) : null;
      if (!match) continue;
      const unknown = [...searchParams.keys()].filter((name) => !call.query.includes(name.replace(/\[\w+\]$/, "")));
      if (unknown.length > 0) throw refused("invalid_field", `The reference does not list ${unknown.join(", ")}`);
      const parsed = call.body.safeParse(text === "" ? undefined : JSON.parse(text));
      if (!parsed.success)
        throw refused("invalid_field", parsed.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`).join("; "));
      const data = await call.answer(world, match.slice(1), parsed.data, searchParams);
      return {
        status: 200,
        body: Array.isArray(data)
          ? pageOf(data as { id?: string }[], call, new URL(request.url ?? "/", `http://${request.headers.host}`))
          : { data, meta },
      };
    }
    throw new PaddleFault(404, "invalid_url", `There is no ${request.method} ${pathname}`);
  } catch (error) {
    const known =
      error instanceof PaddleFault
        ? error
        : error instanceof ProviderRefusal
          ? refused("bad_request", error.message)
          : new PaddleFault(500, "internal_error", String(error));
    return { status: known.status, body: { error: known.body, meta } };
  }
}

const meta = { request_id: "fake" };
/** From v1/openapi.yaml, parameter per_page_query, read 2026-11-22. */
const usualOnPage = 50;

/** The part of a list after the item named in the address, and the address of the next part. */
function pageOf(all: readonly { id?: string }[], { mostOnPage }: Call, url: URL): object {
  const size = Math.min(Number(url.searchParams.get("per_page") ?? usualOnPage), mostOnPage);
  const rest = all.slice(all.findIndex(({ id }) => id !== undefined && id === url.searchParams.get("after")) + 1);
  const data = rest.slice(0, size);
  const hasMore = rest.length > data.length;
  url.searchParams.set("after", data.at(-1)?.id ?? "");
  // There is an address even after the last page; `has_more` says whether more follows.
  return { data, meta: { ...meta, pagination: { per_page: size, next: url.href, has_more: hasMore, estimated_total: all.length } } };
}

const paddleCalls: readonly Call[] = [...customerCalls, ...transactionCalls, ...subscriptionCalls];
