/** Calls to the hook in a workspace's own process. What comes back was written by the tenant, and is believed no further than its shape. */
import { z } from "zod";
import type { Clock } from "#platform/clock.ts";
import { EngineRefusal } from "../engine.ts";
import { signToken, type SigningKey } from "../sign-token.ts";
import type { TokenAudience } from "../workspace-side/token-claims.mts";

/** n8n answers in some 30 ms; a workspace at its limit takes seconds. */
const timeoutMs = 10_000;
/** Some two thousand members' worth. */
const mostAnswerBytes = 256 * 1024;

const refused = z.object({ message: z.string() });

/** POSTs `body`, or GETs without one; throws EngineRefusal, with n8n's reason, on 409. */
export type Ask = <Shape extends z.ZodType>(shape: Shape, address: string, workspaceId: string, path: string, body?: object) => Promise<z.output<Shape>>;

/** Calls for one purpose, that each carry a fresh token for this workspace. */
export function createAsk(signingKey: SigningKey, clock: Clock, audience: TokenAudience): Ask {
  return async (shape, address, workspaceId, path, body) => {
    const token = signToken(signingKey, clock, { audience, workspaceId });
    const response = await fetch(`http://${address}${path}`, {
      method: body ? "POST" : "GET",
      // A kept connection would speak of the process that was, not of the one that is.
      headers: { connection: "close", authorization: `Bearer ${token}`, ...(body ? { "content-type": "application/json" } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(timeoutMs),
      redirect: "manual",
    });
    const text = await readText(response);
    const answer = parseJson(text);
    if (response.status === 409) throw new EngineRefusal(plainText(refused.safeParse(answer).data?.message) || "no reason given");
    if (response.status !== 200) throw new Error(`n8n answers ${response.status}: ${text.slice(0, 200)}`);
    return shape.parse(answer);
  };
}

/** What n8n's editor shows as a link is only in the way elsewhere. */
const plainText = (message = ""): string => message.replaceAll(/<[^<>]*>/g, "").slice(0, 300);

/** A tenant's process could answer without an end. */
async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > mostAnswerBytes) throw new Error("n8n's answer is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
