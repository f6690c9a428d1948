/** Reads the codes that workspaces write for their owners (workspace-side/people/login-code.mts). */
import { createPublicKey, verify } from "node:crypto";
import { z } from "zod";
import type { WorkspaceCode } from "#domain/journeys/services.ts";
import type { Clock } from "#platform/clock.ts";
import { parseJson } from "#platform/http/parse-json.ts";
import { loginCodePrefix, loginKeyOf } from "../workspace-side/people/login-code.mts";

// The tenant's process writes this, so only this shape is accepted.
const claims = z.object({ workspaceId: z.uuid(), id: z.string().min(1).max(100), issuedAtMs: z.number().int() });

/** The code, if it is one. Verify it with the secrets of the workspace that it names. */
export function readLoginCode(code: string, clock: Clock): WorkspaceCode | null {
  const [prefix, payload, signature, ...rest] = code.split(".");
  if (prefix !== loginCodePrefix || !payload || !signature || rest.length > 0) return null;
  const read = claims.safeParse(parseJson(Buffer.from(payload, "base64url").toString("utf8")));
  if (!read.success) return null;
  return {
    workspaceId: read.data.workspaceId,
    id: read.data.id,
    ageMs: clock.now().getTime() - read.data.issuedAtMs,
    isSignedWith: ({ loginKey }) => {
      if (!loginKey) return false;
      return verify(null, Buffer.from(`${prefix}.${payload}`), createPublicKey(loginKeyOf(loginKey)), Buffer.from(signature, "base64url"));
    },
  };
}
