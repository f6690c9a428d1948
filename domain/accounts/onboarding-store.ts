/** The SQL of what an account did on the way to its workspace. */
import { and, eq, sql } from "drizzle-orm";
import type { SkippableStep } from "#contract/accounts/onboarding.ts";
import { accounts } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";

/** Records a step as done or skipped; one that is done stays done. Two devices at the same time both count. */
export async function markOnboardingStep(db: Connection, accountId: string, step: SkippableStep, state: "done" | "skipped"): Promise<void> {
  const mark = sql`jsonb_build_object(${step}::text, ${state}::text)`;
  const steps = accounts.onboardingSteps;
  // The right side of || wins: for "skipped" that is what was there before.
  await db
    .update(accounts)
    .set({ onboardingSteps: state === "done" ? sql`${steps} || ${mark}` : sql`${mark} || ${steps}` })
    .where(eq(accounts.id, accountId));
}

/** Keeps the chosen apps in place of the ones before. */
export async function saveApps(db: Connection, accountId: string, apps: readonly string[]): Promise<void> {
  await db
    .update(accounts)
    .set({ selectedApps: [...apps] })
    .where(eq(accounts.id, accountId));
}

/** The chosen apps, in the order of choosing. */
export async function readApps(db: Connection, accountId: string): Promise<string[]> {
  const found = await db.select({ apps: accounts.selectedApps }).from(accounts).where(eq(accounts.id, accountId)).limit(1);
  return found[0]?.apps ?? [];
}

/** Keeps a template to open at the end, in place of the one of the sign-up link. */
export async function saveTemplate(db: Connection, accountId: string, templateId: string): Promise<void> {
  await db.update(accounts).set({ templateId }).where(eq(accounts.id, accountId));
}

/** Forgets this template; false when it is not the account's, or not any more. */
export async function forgetTemplate(db: Connection, accountId: string, templateId: string): Promise<boolean> {
  const forgotten = await db
    .update(accounts)
    .set({ templateId: null })
    .where(and(eq(accounts.id, accountId), eq(accounts.templateId, templateId)))
    .returning({ id: accounts.id });
  return forgotten.length > 0;
}

/** Notes that what a workspace was told of its account is old. */
export async function touchProfile(db: Connection, accountId: string, now: Date): Promise<void> {
  await db.update(accounts).set({ profileChangedAt: now }).where(eq(accounts.id, accountId));
}
