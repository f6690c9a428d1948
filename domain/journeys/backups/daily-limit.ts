/** How often a day an account may request what costs disk and work. Counted in the audit log, so that deleting does not reset the count. */
import type { AuditAction } from "#domain/audit/audit-actions.ts";
import { and, count, eq, gt } from "drizzle-orm";
import type { ProblemCode } from "#contract/api/problem.ts";
import { auditLog } from "#database/tables.ts";
import { AppError } from "#platform/app-error.ts";
import { after, dayMs } from "#platform/clock.ts";
import type { Connection } from "#platform/database.ts";

/** Enough for a busy day of manual backups; stops a program in a loop. */
export const mostADay = 10;

/** Throws AppError `code` if the account did `action` that often within the last 24 hours. */
export async function refuseTooManyADay(
  db: Connection,
  accountId: string,
  action: AuditAction,
  code: ProblemCode,
  now: Date,
): Promise<void> {
  const [row] = await db
    .select({ n: count() })
    .from(auditLog)
    .where(and(eq(auditLog.accountId, accountId), eq(auditLog.action, action), gt(auditLog.at, after(now, -dayMs))));
  if ((row?.n ?? 0) >= mostADay) throw new AppError(code);
}
