/** Flows and credentials of a Node-RED as files that another Node-RED imports (workspace-side/export-route.mts). */
import { readFileSync } from "node:fs";
import { z } from "zod";
import type { Clock } from "#platform/clock.ts";
import type { EngineExports } from "../engine.ts";
import { signToken, type SigningKey } from "../sign-token.ts";

const timeoutMs = 5 * 60_000;
const mostBytes = 64 * 1024 * 1024;

// Written by the tenant's process, so believed no further than these shapes go.
const answer = z.object({
  flows: z.array(z.looseObject({ id: z.string(), type: z.string() })),
  credentials: z.object({ count: z.int().min(0), nonce: z.string(), data: z.string() }).optional(),
});

/** Calls that each carry a fresh token for this workspace. */
export function createNodeRedExports(signingKey: SigningKey, clock: Clock): EngineExports {
  return {
    async *read(address, workspaceId, credentialsKey) {
      const token = signToken(signingKey, clock, { audience: "export", workspaceId });
      const response = await fetch(`http://${address}/_slipway/export`, {
        method: "POST",
        headers: { connection: "close", authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify(credentialsKey ? { credentialsKey } : {}),
        signal: AbortSignal.timeout(timeoutMs),
        redirect: "manual",
      });
      if (response.status !== 200 || !response.body) throw new Error(`Node-RED answers ${response.status}`);
      const { flows, credentials } = answer.parse(JSON.parse(await boundedText(response.body)));
      yield { kind: "workflow", path: "flows.json", content: `${JSON.stringify(flows, null, 2)}\n`, count: flows.filter(({ type }) => type === "tab").length };
      if (!credentials) return;
      const { count, nonce, data } = credentials;
      yield { kind: "credentials", path: "credentials.encrypted.json", content: `${JSON.stringify({ format: "slipway-credentials-1", cipher: "aes-256-gcm", nonce, data }, null, 2)}\n`, count };
    },
    companions: (scrypt) => [
      { path: "README.txt", content: readText("export-companions/export-readme.txt") + (scrypt ? readText("export-companions/export-credentials-readme.txt") : "") },
      ...(scrypt
        ? [{ path: "decrypt-credentials.mjs", content: readText("../n8n/export-companions/decrypt-credentials.mjs") }, { path: "scrypt.json", content: `${JSON.stringify({ kdf: "scrypt", ...scrypt }, null, 2)}\n` }]
        : []),
    ],
  };
}

const readText = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8");

async function boundedText(body: ReadableStream<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body) {
    bytes += part.byteLength;
    if (bytes > mostBytes) throw new Error("Node-RED's answer is too long");
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}
