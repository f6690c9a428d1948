/** A Paddle of our own on loopback: its wire format and its strictness over the sandbox's world. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { ProviderRefusal } from "#domain/billing/payment-provider.ts";
import { paddleCalls, type FakeWorld } from "./paddle-calls.ts";
import { PaddleFault, refused } from "./paddle-fault.ts";

export interface FakePaddle {
  url: string;
  close(): Promise<void>;
}

/** Answers calls with this key; others are refused as Paddle refuses them. */
export async function startFakePaddle(world: FakeWorld, apiKey: string): Promise<FakePaddle> {
  const server = createServer((request, response) => {
    void (async () => {
      const { status, body } = await answerCall(world, request, apiKey);
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ ...body, meta: { request_id: "fake", pagination: { per_page: 200, next: "", has_more: false, estimated_total: 0 } } }));
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
    if (request.headers.authorization !== `Bearer ${apiKey}`) throw new PaddleFault(403, "authentication_malformed", "The key is not valid");
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://paddle");
    for (const call of paddleCalls) {
      const match = call.method === request.method ? call.path.exec(pathname) : null;
      if (!match) continue;
      const parsed = call.body.safeParse(text === "" ? undefined : JSON.parse(text));
      if (!parsed.success) throw refused("invalid_field", parsed.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`).join("; "));
      return { status: 200, body: { data: await call.answer(world, match.slice(1), parsed.data, searchParams) } };
    }
    throw new PaddleFault(404, "invalid_url", `There is no ${request.method} ${pathname}`);
  } catch (error) {
    const known = error instanceof PaddleFault ? error : error instanceof ProviderRefusal ? refused("bad_request", error.message) : new PaddleFault(500, "internal_error", String(error));
    return { status: known.status, body: { error: known.body } };
  }
}
