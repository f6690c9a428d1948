/** The SQL of an account's onboarding. */
import { and, eq, sql } from "drizzle-orm";
import type { FirstDayStep } from "#contract/accounts/account-values.ts";
import type { SkippableStep } from "#contract/accounts/account-values.ts";
import { accounts } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";

/** Records a step as done or skipped; one that is done stays done. Changes from two devices at the same time both count. */
export async function markOnboardingStep(db: Connection, accountId: string, step: SkippableStep, state: "done" | "skipped"): Promise<void> {
  const mark = sql`jsonb_build_object(${step}::text, ${state}::text)`;
  const steps = accounts.onboardingSteps;
  // The right side of || wins: for "skipped" that is the earlier value.
  await db
    .update(accounts)
    .set({ onboardingSteps: state === "done" ? sql`${steps} || ${mark}` : sql`${mark} || ${steps}` })
    .where(eq(accounts.id, accountId));
}

type FirstDayMark = FirstDayStep | "dismissed";

/** What was done or dismissed in the first days, and when (ISO). */
export async function readFirstDays(db: Connection, accountId: string): Promise<Partial<Record<FirstDayMark, string>>> {
  const found = await db.select({ firstDays: accounts.firstDays }).from(accounts).where(eq(accounts.id, accountId)).limit(1);
  return found[0]?.firstDays ?? {};
}

/** Records these as done; the first time counts. Writes nothing if all of them are already recorded. */
export async function markFirstDays(db: Connection, accountId: string, marks: readonly FirstDayMark[], now: Date): Promise<void> {
  const added = JSON.stringify(Object.fromEntries(marks.map((mark) => [mark, now.toISOString()])));
  const { firstDays } = accounts;
  // The right side of || wins: the earlier time.
  await db
    .update(accounts)
    .set({ firstDays: sql`${added}::jsonb || ${firstDays}` })
    .where(and(eq(accounts.id, accountId), sql`not ${firstDays} ?& ${sql.param([...marks])}::text[]`));
}

/** The checklist of the first days is shown again, unless all of it is done. */
export async function forgetDismissal(db: Connection, accountId: string): Promise<void> {
  await db
    .update(accounts)
    .set({ firstDays: sql`${accounts.firstDays} - 'dismissed'` })
    .where(eq(accounts.id, accountId));
}

/** Replaces the chosen apps. */
export async function saveApps(db: Connection, accountId: string, apps: readonly string[]): Promise<void> {
  await db
    .update(accounts)
    .set({ selectedApps: [...apps] })
    .where(eq(accounts.id, accountId));
}

/** The chosen apps, in the order they were chosen. */
export async function readApps(db: Connection, accountId: string): Promise<string[]> {
  const found = await db.select({ apps: accounts.selectedApps }).from(accounts).where(eq(accounts.id, accountId)).limit(1);
  return found[0]?.apps ?? [];
}

/** Keeps the template to open at the end, in place of the one from the sign-up link. */
export async function saveTemplate(db: Connection, accountId: string, templateId: string): Promise<void> {
  await db.update(accounts).set({ templateId }).where(eq(accounts.id, accountId));
}

/** Removes this template; false if it is not, or no longer, the account's. */
export async function forgetTemplate(db: Connection, accountId: string, templateId: string): Promise<boolean> {
  const forgotten = await db
    .update(accounts)
    .set({ templateId: null })
    .where(and(eq(accounts.id, accountId), eq(accounts.templateId, templateId)))
    .returning({ id: accounts.id });
  return forgotten.length > 0;
}

/** Records that the workspace needs the account's profile again. */
export async function touchProfile(db: Connection, accountId: string, now: Date): Promise<void> {
  await db.update(accounts).set({ profileChangedAt: now }).where(eq(accounts.id, accountId));
}
