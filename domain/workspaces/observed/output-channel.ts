/**
 * Passes new output from the worker that reads it to the processes whose callers follow it, as PostgreSQL notifications, which leave no row
 * behind and cost nothing while a workspace is silent. A follower that missed some asks for everything again.
 */
import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Connection } from "#platform/database.ts";

/** PostgreSQL channel: output of followed workspaces. Payload: an `OutputPiece` as JSON. */
export const workspaceOutput = "workspace_output";

export const outputPiece = z.object({
  workspaceId: z.string(),
  /** Identifies the reading that the output comes from: a new reading starts from the beginning. */
  following: z.string(),
  /** Counts the pieces of a reading, without gaps. */
  piece: z.number().int(),
  text: z.string(),
  /** Lines before it are missing. */
  isCut: z.boolean(),
});
export type OutputPiece = z.infer<typeof outputPiece>;

/** PostgreSQL refuses 8,000 bytes; everything else in a piece takes about 150 of them. */
const mostTextBytes = 7_600;

/** Cuts text so that each part fits into a notification, where it is written as JSON; at line ends where there are some. */
export function partsOf(text: string): string[] {
  if (Buffer.byteLength(JSON.stringify(text)) <= mostTextBytes) return [text];
  const middle = Math.floor(text.length / 2);
  const line = text.lastIndexOf("\n", middle) + 1;
  const cut = line > 0 ? line : middle + (isLowHalf(text, middle) ? 1 : 0);
  return [...partsOf(text.slice(0, cut)), ...partsOf(text.slice(cut))];
}

/** The second half of a character that takes two. */
const isLowHalf = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xdc00;

/** Sends pieces in order to every listener, with one statement. */
export async function publishOutput(db: Connection, pieces: readonly OutputPiece[]): Promise<void> {
  const payloads = JSON.stringify(pieces.map((each) => JSON.stringify(each)));
  await db.execute(sql`
    select pg_notify(${workspaceOutput}, payload) from jsonb_array_elements_text(${payloads}::jsonb) with ordinality as given(payload, place)
    order by place`);
}
