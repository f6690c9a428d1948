/** Workflows and credentials of an n8n as files that another n8n imports (workspace-side/export-route.mts). */
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { z } from "zod";
import type { Clock } from "#platform/clock.ts";
import type { EngineExportFile, EngineExports } from "../engine.ts";
import { signToken, type SigningKey } from "../sign-token.ts";

const timeoutMs = 10 * 60_000;
/** One workflow, or all credentials. The largest workflows that people have shared have some megabytes. */
const mostLineBytes = 64 * 1024 * 1024;
const mostBytes = 512 * 1024 * 1024;

// Written by the tenant's process, so believed no further than these shapes go.
const line = z.union([
  z.object({ workflow: z.looseObject({ id: z.string().max(64), name: z.string() }) }),
  z.object({ credentials: z.object({ count: z.int().min(0), nonce: z.string(), data: z.string() }) }),
  z.object({ end: z.literal(true) }),
  z.object({ error: z.string() }),
]);

/** Calls that each carry a fresh token for this workspace. */
export function createN8nExports(signingKey: SigningKey, clock: Clock): EngineExports {
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
      if (response.status !== 200 || !response.body) throw new Error(`n8n answers ${response.status}`);
      for await (const text of boundedLines(response.body)) {
        const read = line.parse(JSON.parse(text));
        if ("end" in read) return;
        if ("error" in read) throw new Error(`n8n broke off: ${read.error.slice(0, 300)}`);
        yield toFile(read);
      }
      throw new Error("n8n broke off before the end");
    },
    companions: (scrypt) => [
      { path: "README.txt", content: readText("export-readme.txt") + (scrypt ? readText("export-credentials-readme.txt") : "") },
      ...(scrypt ? [{ path: "decrypt-credentials.mjs", content: readText("decrypt-credentials.mjs") }, { path: "scrypt.json", content: `${JSON.stringify({ kdf: "scrypt", ...scrypt }, null, 2)}\n` }] : []),
    ],
  };
}

const readText = (name: string): string => readFileSync(new URL(`export-companions/${name}`, import.meta.url), "utf8");

function toFile(read: { workflow: { id: string; name: string } } | { credentials: { count: number; nonce: string; data: string } }): EngineExportFile {
  if ("workflow" in read) return { kind: "workflow", path: `workflows/${fileName(read.workflow)}`, content: `${JSON.stringify(read.workflow, null, 2)}\n`, count: 1 };
  const { count, nonce, data } = read.credentials;
  return { kind: "credentials", path: "credentials.encrypted.json", content: `${JSON.stringify({ format: "slipway-credentials-1", cipher: "aes-256-gcm", nonce, data }, null, 2)}\n`, count };
}

/** The name for people, and the id so that no two are the same. */
function fileName({ id, name }: { id: string; name: string }): string {
  const plain = name.normalize("NFKD").toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 60);
  return `${[plain, id.replace(/[^A-Za-z0-9_-]/g, "")].filter((part) => part !== "").join("-")}.json`;
}

async function* boundedLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let [bytes, sinceBreak] = [0, 0];
  const bounded = async function* () {
    for await (const chunk of body) {
      bytes += chunk.byteLength;
      const lastBreak = chunk.lastIndexOf(10);
      sinceBreak = lastBreak === -1 ? sinceBreak + chunk.byteLength : chunk.byteLength - lastBreak;
      if (bytes > mostBytes || sinceBreak > mostLineBytes) throw new Error("n8n's answer is too long");
      yield chunk;
    }
  };
  for await (const text of createInterface({ input: Readable.from(bounded(), { objectMode: false }), crlfDelay: Infinity })) if (text !== "") yield text;
}
