/** GET all workflows, and credentials under the owner's key, line by line; the control plane turns them into files. */
import { createCipheriv, randomBytes } from "node:crypto";
import { createRequire } from "node:module";
import type { Handler, HookContext } from "../internals.mts";

/** Few enough to hold in memory, many enough to be fast. */
const batch = 50;

interface Credential {
  id: string;
  name: string;
  type: string;
  data: unknown;
}

/** The handler; mount it behind the check of the control plane's token. The last line marks the end. */
export function createExportHandler(context: HookContext): Handler {
  return async (request, response) => {
    const { credentialsKey } = (request.body ?? {}) as { credentialsKey?: unknown };
    const key = typeof credentialsKey === "string" ? Buffer.from(credentialsKey, "base64") : undefined;
    if (key && key.length !== 32) return response.status(422).json({ message: "credentialsKey must have 32 bytes" });
    response.status(200).set("content-type", "application/x-ndjson");
    try {
      for await (const line of linesOf(context, key))
        if (!response.write(`${JSON.stringify(line)}\n`)) await new Promise<void>((resolve) => response.once("drain", resolve));
      response.write('{"end":true}\n');
      return response.end();
    } catch (error) {
      // Without its last line, the export counts as incomplete.
      return response.end(`${JSON.stringify({ error: (error as Error).message })}\n`);
    }
  };
}

async function* linesOf({ dbCollections: { Workflow, Credentials } }: HookContext, key: Buffer | undefined): AsyncGenerator<object> {
  // By their ids: pages would shift when one is deleted or added meanwhile.
  const ids = (await Workflow.find({ select: ["id"], order: { id: "ASC" } })).map(({ id }) => id);
  for (let from = 0; from < ids.length; from += batch) {
    const where = ids.slice(from, from + batch).map((id) => ({ id }));
    for (const workflow of await Workflow.find({ where, order: { id: "ASC" }, relations: ["tags"] })) yield { workflow };
  }
  if (!key) return;
  const credentials = await decryptAll(await Credentials.find({ order: { id: "ASC" } }));
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  const data = Buffer.concat([cipher.update(JSON.stringify(credentials), "utf8"), cipher.final(), cipher.getAuthTag()]);
  yield { credentials: { count: credentials.length, nonce: nonce.toString("base64"), data: data.toString("base64") } };
}

/** In the format of `n8n export:credentials --decrypted`. */
async function decryptAll(credentials: Credential[]): Promise<Credential[]> {
  const require = createRequire(process.argv[1]!);
  const { Credentials } = require("n8n-core") as {
    Credentials: new (of: { id: string; name: string }, type: string, data: unknown) => { getData(): unknown };
  };
  const open: Credential[] = [];
  for (const { id, name, type, data } of credentials)
    open.push({ id, name, type, data: await new Credentials({ id, name }, type, data).getData() });
  return open;
}
