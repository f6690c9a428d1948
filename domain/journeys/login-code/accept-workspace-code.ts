/**
 * A code that the workspace signed for its owner. Any code that runs in a workspace can read the key, so a code is worth
 * little: only for this account's owner, only while the workspace is online, once, for 60 s, a few times an hour, and
 * for a session of an hour that cannot change the password or address without the password.
 */
import { eq } from "drizzle-orm";
import { workspaces } from "#database/tables.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { findOwner, type Person } from "#domain/accounts/credential-store.ts";
import { findLink, markCodeUsed } from "#domain/accounts/links/link-token-store.ts";
import { lockPerson } from "#domain/accounts/lock-person.ts";
import { openSession } from "#domain/accounts/sessions/session-store.ts";
import { countAttempt } from "#domain/attempts/attempt-store.ts";
import { after, secondMs } from "#platform/clock.ts";
import type { Connection } from "#platform/database.ts";
import type { Services, WorkspaceCode } from "../services.ts";
import type { Visitor } from "../signed-in/caller.ts";
import type { OpenedSession } from "../signed-in/start-session.ts";

const codeLifeMs = 60 * secondMs;
/** Two machines' clocks may differ; on one machine this only covers rounding. */
const clockDifferenceMs = 5 * secondMs;

/** The key under which a used code is remembered. */
const usedAs = (code: WorkspaceCode): string => `${code.workspaceId}:${code.id}`;

/** The owner for whom the workspace vouches, or null: wrong signature, too old, used, or no permission to vouch now. Uses nothing up. */
export async function findVouchedOwner(
  { secrets }: Pick<Services, "secrets">,
  db: Connection,
  code: WorkspaceCode,
): Promise<Person | null> {
  const [workspace] = await db.select().from(workspaces).where(eq(workspaces.id, code.workspaceId)).limit(1);
  const isUp = workspace?.desiredState === "running" && workspace.observedState === "online" && workspace.gatewayOpen;
  if (!isUp) return null;
  if (code.ageMs < -clockDifferenceMs || code.ageMs >= codeLifeMs) return null;
  const opened = JSON.parse(secrets.decrypt(workspace.secrets, "workspace")) as Record<string, string>;
  if (!code.isSignedWith(opened)) return null;
  if (await findLink(db, usedAs(code), ["workspace-code"])) return null;
  const owner = await findOwner(db, workspace.accountId);
  return owner?.kind === "member" ? owner : null;
}

/** The owner's session, or null if the workspace may not vouch for them or does so too often. */
export async function acceptWorkspaceCode(
  services: Services,
  tx: Connection,
  code: WorkspaceCode,
  { address, device }: Visitor,
): Promise<OpenedSession | null> {
  const now = services.clock.now();
  const owner = await findVouchedOwner(services, tx, code);
  if (!owner || "waitSeconds" in (await countAttempt(tx, "workspace-code", code.workspaceId, now))) return null;
  const { userId, accountId } = owner;
  const { email, kind } = await lockPerson(tx, { userId });
  if (kind !== "member") return null;
  const isFirstUse = await markCodeUsed(
    tx,
    { id: usedAs(code), userId, email, expiresAt: after(now, codeLifeMs + clockDifferenceMs) },
    now,
  );
  if (!isFirstUse) return null;
  await writeAudit(tx, { accountId, userId, action: "session.opened", after: { openedBy: "workspace" }, address }, now);
  const token = await openSession(tx, { userId, openedBy: "workspace", device, address }, now);
  // Code in the workspace may have used it: its browser stays a stranger's.
  return { token, openedBy: "workspace", browser: null };
}
