/** Browsers that have signed in to an account before are remembered, and counted apart from strangers (decision 0175). */
import { lockKnownBrowser, rememberBrowser } from "#domain/accounts/sessions/known-browser-store.ts";
import { countAttempt, type Attempt } from "#domain/attempts/attempt-store.ts";
import type { Connection, Database } from "#platform/database.ts";
import type { Visitor } from "./caller.ts";

export interface KnownBrowser {
  /** Its attempts are counted under this. */
  id: string;
  counted: Attempt | { waitSeconds: number };
}

/**
 * Counts an attempt of the browser that showed the token `browser`, or returns null: it is a stranger to the user whom `findUserId` finds.
 * The user is only looked up for a token that is valid for someone, so that an invented one reveals nothing by its delay.
 */
export async function countKnownBrowser(
  db: Database,
  kind: "browser-login" | "browser-link",
  browser: string | null,
  findUserId: (tx: Connection) => Promise<string | undefined>,
  now: Date,
): Promise<KnownBrowser | null> {
  if (browser === null) return null;
  return db.transaction(async (tx) => {
    const known = await lockKnownBrowser(tx, browser, now);
    if (known.length === 0) return null;
    const userId = await findUserId(tx);
    const id = known.find((row) => row.userId === userId)?.id;
    return id === undefined ? null : { id, counted: await countAttempt(tx, kind, id, now) };
  });
}

/**
 * The locked user has proved in this visitor's browser who they are: it is remembered from now on. Returns the token of its cookie; null
 * for a program, which would keep none.
 */
export const rememberVisitor = (tx: Connection, userId: string, { browser, isBrowser }: Visitor, now: Date): Promise<string | null> =>
  isBrowser ? rememberBrowser(tx, userId, browser, now) : Promise.resolve(null);
