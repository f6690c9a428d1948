/** The SQL of survey answers. */
import { and, eq } from "drizzle-orm";
import { surveyAnswers } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";

type SurveyKind = (typeof surveyAnswers.$inferSelect)["kind"];

/** Saves the answer in place of the previous one. */
export async function saveAnswer(db: Connection, accountId: string, kind: SurveyKind, answer: object, now: Date): Promise<void> {
  await db
    .insert(surveyAnswers)
    .values({ accountId, kind, answer, answeredAt: now })
    .onConflictDoUpdate({ target: [surveyAnswers.accountId, surveyAnswers.kind], set: { answer, answeredAt: now } });
}

/** The stored answer, or null; its shape is the contract's, by kind. */
export async function readAnswer<Answer extends object>(db: Connection, accountId: string, kind: SurveyKind): Promise<Answer | null> {
  const found = await db
    .select({ answer: surveyAnswers.answer })
    .from(surveyAnswers)
    .where(and(eq(surveyAnswers.accountId, accountId), eq(surveyAnswers.kind, kind)))
    .limit(1);
  return (found[0]?.answer as Answer | undefined) ?? null;
}
