/** A fake Stripe on loopback, with Stripe's wire format, state and strictness. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { parseForm, type FormValue } from "./wire/parse-form.ts";
import { stripeCalls } from "./stripe-calls.ts";
import { invalid, StripeFault } from "./wire/stripe-error.ts";
import { render } from "./wire/stripe-expand.ts";
import { nowOf, type State } from "./stripe-state.ts";
import { runDue } from "./stripe-time.ts";

export interface FakeStripe {
  port: number;
  /** Every request received, oldest first. */
  asked: { call: string; params: { [name: string]: FormValue }; key: string | null }[];
  close(): Promise<void>;
}

interface Answer {
  status: number;
  body: object;
  /** False: refused before anything was carried out, so the same key may be used again. */
  isSaved: boolean;
}

const day = 86_400;

/** Answers calls that use this key and refuses others as Stripe does. `makePrices` is called with the prices about to be looked up. */
export async function startFakeStripe(
  state: State,
  secretKey: string,
  makePrices: (entries: readonly string[]) => Promise<void> = () => Promise.resolve(),
): Promise<FakeStripe> {
  const byKey = new Map<string, { fingerprint: string; answer: Answer; at: number }>();
  const asked: FakeStripe["asked"] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const body = await readBody(request);
      const [path = "", query = ""] = (request.url ?? "").split("?");
      const key = request.headers["idempotency-key"];
      const call = {
        call: `${request.method} ${path}`,
        params: parseForm(request.method === "POST" ? body : query),
        key: typeof key === "string" ? key : null,
      };
      asked.push(call);
      if (path === "/v1/prices") await makePrices((call.params["lookup_keys"] ?? []) as string[]);
      const isKnown = request.headers.authorization === `Bearer ${secretKey}`;
      const { status, body: answer } = isKnown
        ? repeatable(call, body)
        : fault(new StripeFault(401, { type: "invalid_request_error", message: "Invalid API Key provided" }), false);
      response
        .writeHead(status, {
          "content-type": "application/json",
          "request-id": "req_fake",
          ...(status >= 400 && { "stripe-should-retry": "false" }),
        })
        .end(JSON.stringify(answer));
    })();
  });

  /**
   * The first answer to a POST with a key is saved, including 500s, and repeated for at least 24 hours; different parameters are
   * a 400. A request that fails validation, or is rejected before it begins, is not saved
   * (docs.stripe.com/api/idempotent_requests, read 2026-11-22).
   */
  function repeatable(call: FakeStripe["asked"][number], body: string): Answer {
    if (call.key === null || !call.call.startsWith("POST ")) return answerCall(call);
    const fingerprint = `${call.call} ${body}`;
    const earlier = byKey.get(call.key);
    const isKept = earlier && nowOf(state) - earlier.at < day;
    if (isKept && earlier.fingerprint !== fingerprint)
      return fault(
        new StripeFault(400, {
          type: "idempotency_error",
          message: "Keys for idempotent requests can only be used with the same parameters they were first used with.",
        }),
        false,
      );
    if (isKept) return earlier.answer;
    const answer = answerCall(call);
    if (answer.isSaved) byKey.set(call.key, { fingerprint, answer, at: nowOf(state) });
    return answer;
  }

  function answerCall({ call, params }: FakeStripe["asked"][number]): Answer {
    const [method, path = ""] = call.split(" ");
    const index = state.faults.findIndex((each) => each.call.test(call));
    const broken = index < 0 ? undefined : state.faults.splice(index, 1)[0];
    const failure = () =>
      new StripeFault(broken!.status, {
        type: broken!.status === 429 ? "invalid_request_error" : "api_error",
        ...(broken!.status === 429 && { code: "rate_limit" }),
        message: "An error as a test ordered it.",
      });
    // Rate limiting rejects a call before anything begins.
    if (broken && !broken.isDone) return fault(failure(), broken.status >= 500);
    try {
      runDue(state);
      for (const known of stripeCalls) {
        const match = known.method === method ? known.path.exec(path) : null;
        if (!match) continue;
        const parsed = known.params.safeParse(params);
        if (!parsed.success)
          return fault(
            invalid(
              `Received unknown or invalid parameters: ${parsed.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`).join("; ")}`,
            ),
            false,
          );
        const body = render(known.answer(state, match.slice(1), parsed.data), (params["expand"] ?? []) as string[]) as object;
        return broken ? fault(failure(), true) : { status: 200, body, isSaved: true };
      }
      return fault(new StripeFault(404, { type: "invalid_request_error", message: `Unrecognized request URL (${call}).` }), false);
    } catch (error) {
      return fault(
        error instanceof StripeFault
          ? error
          : new StripeFault(500, { type: "api_error", message: error instanceof Error ? (error.stack ?? "") : String(error) }),
        true,
      );
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

const fault = (error: StripeFault, isSaved: boolean): Answer => ({ status: error.status, body: { error: error.body }, isSaved });

async function readBody(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const part of request) body += String(part);
  return body;
}
