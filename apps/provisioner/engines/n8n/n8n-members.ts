/** n8n's users, through the hook in the workspace's own process (workspace-side/member-routes.mts). */
import type { KeyObject } from "node:crypto";
import { z } from "zod";
import type { Clock } from "#platform/clock.ts";
import { EngineRefusal, type EngineMembers } from "../engine.ts";
import { signToken } from "./sign-token.ts";

/** n8n answers in some 30 ms; a workspace at its limit takes seconds. */
const timeoutMs = 10_000;
/** Some two thousand members' worth. */
const mostAnswerBytes = 256 * 1024;

// Written by the tenant's process, so believed no further than these shapes go.
const invited = z.object({
  memberId: z.string().max(100),
  acceptPath: z.string().max(2000).regex(/^\/signup\?[\w\-.~%=&]+$/).nullable(),
});
const revoked = z.object({ revoked: z.boolean() });
const listed = z.object({ members: z.array(z.object({ id: z.string().max(100), email: z.string().max(320).toLowerCase(), joined: z.boolean() })) });
const refused = z.object({ message: z.string() });

/** Calls that each carry a fresh token for this workspace. */
export function createN8nMembers(signingKey: KeyObject, clock: Clock): EngineMembers {
  async function ask<Shape extends z.ZodType>(shape: Shape, address: string, workspaceId: string, path: string, body?: object): Promise<z.output<Shape>> {
    const token = signToken(signingKey, clock, { audience: "members", workspaceId });
    const response = await fetch(`http://${address}${path}`, {
      method: body ? "POST" : "GET",
      headers: { connection: "close", authorization: `Bearer ${token}`, ...(body ? { "content-type": "application/json" } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(timeoutMs),
      redirect: "manual",
    });
    const text = await readText(response);
    const answer = parseJson(text);
    if (response.status === 409) throw new EngineRefusal(refused.safeParse(answer).data?.message.slice(0, 200) ?? "no reason given");
    if (response.status !== 200) throw new Error(`n8n answers ${response.status}: ${text.slice(0, 200)}`);
    return shape.parse(answer);
  }
  return {
    invite: (address, workspaceId, email) => ask(invited, address, workspaceId, "/_slipway/invitations", { email }),
    revoke: async (address, workspaceId, email) => (await ask(revoked, address, workspaceId, "/_slipway/invitations/revoke", { email })).revoked,
    list: async (address, workspaceId) => (await ask(listed, address, workspaceId, "/_slipway/users")).members,
  };
}

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
