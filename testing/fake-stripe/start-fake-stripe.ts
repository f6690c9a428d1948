/** A Stripe of our own on loopback: its wire format and its strictness over the sandbox's world. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { ProviderRefusal } from "#domain/billing/payment-provider.ts";
import { parseForm } from "./parse-form.ts";
import { stripeCalls, type FakeWorld } from "./stripe-calls.ts";
import { invalid, StripeFault } from "./stripe-error.ts";

export interface FakeStripe {
  port: number;
  /** Everything that was asked, oldest first: `POST /v1/customers`. */
  asked: string[];
  close(): Promise<void>;
}

interface Answer {
  status: number;
  body: object;
}

/** Answers calls with this key; others are refused as Stripe refuses them. */
export async function startFakeStripe(world: FakeWorld, secretKey: string): Promise<FakeStripe> {
  const byKey = new Map<string, { fingerprint: string; answer: Promise<Answer> }>();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const body = await readBody(request);
      asked.push(`${request.method} ${request.url?.split("?")[0]}`);
      const { status, body: answer } = await (request.headers.authorization === `Bearer ${secretKey}` ? repeatable(request, body) : Promise.resolve(fault(new StripeFault(401, { type: "invalid_request_error", message: "Invalid API Key provided" }))));
      response.writeHead(status, { "content-type": "application/json", "request-id": "req_fake", ...(status >= 400 && { "stripe-should-retry": "false" }) }).end(JSON.stringify(answer));
    })();
  });

  /** The same key answers alike, errors of the bank included, and never for another request. */
  async function repeatable(request: IncomingMessage, body: string): Promise<Answer> {
    const key = request.headers["idempotency-key"];
    if (typeof key !== "string" || request.method !== "POST") return answerCall(request, body);
    const fingerprint = `${request.url} ${body}`;
    const earlier = byKey.get(key);
    if (earlier && earlier.fingerprint !== fingerprint) return fault(new StripeFault(400, { type: "idempotency_error", message: "Keys for idempotent requests can only be used with the same parameters they were first used with." }));
    const answer = earlier?.answer ?? answerCall(request, body);
    byKey.set(key, { fingerprint, answer });
    return answer;
  }

  async function answerCall(request: IncomingMessage, body: string): Promise<Answer> {
    const [path = "", query = ""] = (request.url ?? "").split("?");
    try {
      for (const call of stripeCalls) {
        const match = call.method === request.method ? call.path.exec(path) : null;
        if (!match) continue;
        const parsed = call.params.safeParse(parseForm(request.method === "POST" ? body : query));
        if (!parsed.success) throw invalid(`Received unknown or invalid parameters: ${parsed.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`).join("; ")}`);
        return { status: 200, body: await call.answer(world, match.slice(1), parsed.data) };
      }
      throw new StripeFault(404, { type: "invalid_request_error", message: `Unrecognized request URL (${request.method}: ${path}).` });
    } catch (error) {
      if (error instanceof StripeFault) return fault(error);
      if (error instanceof ProviderRefusal) return fault(invalid(error.message));
      return fault(new StripeFault(500, { type: "api_error", message: String(error) }));
    }
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

const fault = (error: StripeFault): Answer => ({ status: error.status, body: { error: error.body } });

async function readBody(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const part of request) body += String(part);
  return body;
}
