/** The webhooks that an n8n has, for the control plane to know while n8n sleeps. */

/** More are not reported, and each call then wakes n8n. */
export const mostKnownWebhooks = 1000;
export const mostKnownBytes = 64 * 1024;

interface Webhook {
  method: string;
  webhookPath: string;
  webhookId: string | null;
  pathLength: number | null;
}

interface KnownWebhooks {
  /** Method, path, and for paths with parameters their first segment and the number of the others. */
  rows: [string, string, string | null, number | null][];
  /** The first and the last id. */
  executions: [number, number] | null;
}

/** Null if there are too many. `query` runs on n8n's own connection. */
export async function readKnownWebhooks(query: (sql: string) => Promise<unknown>): Promise<KnownWebhooks | null> {
  const found = (await query(
    // In n8n's own order, which its answers show.
    `select method, webhookPath, webhookId, pathLength from webhook_entity order by webhookPath, method limit ${mostKnownWebhooks + 1}`,
  )) as Webhook[];
  if (found.length > mostKnownWebhooks) return null;
  const [ids] = (await query("select min(id) as first, max(id) as last from execution_entity")) as {
    first: number | null;
    last: number | null;
  }[];
  const known: KnownWebhooks = {
    rows: found.map(({ method, webhookPath, webhookId, pathLength }) => [method, webhookPath, webhookId, pathLength]),
    executions: ids?.first == null || ids.last == null ? null : [Number(ids.first), Number(ids.last)],
  };
  return Buffer.byteLength(JSON.stringify(known)) > mostKnownBytes ? null : known;
}
