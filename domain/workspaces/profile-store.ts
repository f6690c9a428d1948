/** The SQL of what a workspace is told about its owner. */
import { eq } from "drizzle-orm";
import { accounts, surveyAnswers } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";

interface OwnerProfile {
  selectedApps: string[];
  /** Of all surveys combined. */
  answers: Record<string, unknown>;
  /** When it last changed; if never, when the account was created. */
  changedAt: Date;
}

/** Read in one statement, so that `changedAt` matches the rest. */
export async function readProfile(db: Connection, accountId: string): Promise<OwnerProfile> {
  const rows = await db
    .select({
      apps: accounts.selectedApps,
      changedAt: accounts.profileChangedAt,
      createdAt: accounts.createdAt,
      answer: surveyAnswers.answer,
    })
    .from(accounts)
    .leftJoin(surveyAnswers, eq(surveyAnswers.accountId, accounts.id))
    .where(eq(accounts.id, accountId));
  const first = rows[0];
  if (!first) throw new Error(`there is no account ${accountId}`);
  return {
    selectedApps: first.apps,
    answers: Object.assign({}, ...rows.map(({ answer }) => answer ?? {})) as Record<string, unknown>,
    changedAt: first.changedAt ?? first.createdAt,
  };
}
