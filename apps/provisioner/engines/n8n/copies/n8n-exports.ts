/** Workflows and credentials of an n8n as files that another n8n imports (workspace-side/copies/export-route.mts). */
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { z } from "zod";
import { minuteMs } from "#platform/clock.ts";
import { answerChunks, callWorkspace, unexpectedAnswer, type Caller } from "../../call-workspace.ts";
import type { EngineExportFile, EngineExports } from "../../port/engine-copies.ts";
import { companionsIn, sealedCredentials, toCredentialsFile, toText } from "../../export-files.ts";

const timeoutMs = 10 * minuteMs;
/** For one workflow, or all credentials. The largest shared workflows are a few megabytes. */
const mostLineBytes = 64 * 1024 * 1024;
const mostBytes = 512 * 1024 * 1024;

// The tenant's process writes this, so only these shapes are accepted.
const line = z.union([
  z.object({ workflow: z.looseObject({ id: z.string().max(64), name: z.string() }) }),
  z.object({ credentials: sealedCredentials }),
  z.object({ end: z.literal(true) }),
  z.object({ error: z.string() }),
]);

/** Calls that each carry a fresh token for this workspace. */
export function createN8nExports(caller: Caller): EngineExports {
  return {
    async *read(address, workspaceId, credentialsKey) {
      const response = await callWorkspace(caller, {
        address,
        workspaceId,
        audience: "export",
        path: "/_slipway/export",
        body: credentialsKey ? { credentialsKey } : {},
        timeoutMs,
      });
      if (response.status !== 200) throw await unexpectedAnswer(caller, response);
      for await (const text of boundedLines(caller, response)) {
        const read = line.parse(JSON.parse(text));
        if ("end" in read) return;
        if ("error" in read) throw new Error(`n8n broke off: ${read.error.slice(0, 300)}`);
        yield toFile(read);
      }
      throw new Error("n8n broke off before the end");
    },
    companions: companionsIn(import.meta.dirname),
  };
}

function toFile(read: { workflow: { id: string; name: string } } | { credentials: z.output<typeof sealedCredentials> }): EngineExportFile {
  if ("credentials" in read) return toCredentialsFile(read.credentials);
  return { kind: "workflow", path: `workflows/${fileName(read.workflow)}`, content: toText(read.workflow), count: 1 };
}

/** A readable name, plus the id so that no two are the same. */
function fileName({ id, name }: { id: string; name: string }): string {
  const plain = name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60);
  return `${[plain, id.replace(/[^A-Za-z0-9_-]/g, "")].filter((part) => part !== "").join("-")}.json`;
}

/** The answer's lines; throws if all of them together, or a single one, are too long for an export. */
async function* boundedLines(caller: Caller, response: Response): AsyncGenerator<string> {
  let sinceBreak = 0;
  const withLineBreaks = async function* () {
    for await (const chunk of answerChunks(caller, response, mostBytes)) {
      const lastBreak = chunk.lastIndexOf(10);
      sinceBreak = lastBreak === -1 ? sinceBreak + chunk.byteLength : chunk.byteLength - lastBreak;
      if (sinceBreak > mostLineBytes) throw new Error("a line of n8n's answer is too long");
      yield chunk;
    }
  };
  for await (const text of createInterface({ input: Readable.from(withLineBreaks(), { objectMode: false }), crlfDelay: Infinity }))
    if (text !== "") yield text;
}
