import { routes } from "#contract/routes.ts";
import { AppError } from "#platform/app-error.ts";
import type { Mount, Services } from "../services.ts";
import { closeOwnAccount } from "./close-account.ts";
import { readBlockers } from "./closing-blockers.ts";
import { reopenAccount } from "./reopen-account.ts";

export function closeAccountRoutes(mount: Mount, services: Services): void {
  const { db, clock, billing, closedAccountDays: days } = services;
  mount(routes.getClosing, async ({ signedIn }) => {
    const blockers = await readBlockers(db, signedIn.accountId, clock.now());
    return { blockers: blockers.map(({ kind, until }) => ({ kind, until: until?.toISOString() ?? null })), days };
  });
  mount(routes.closeAccount, ({ signedIn, body, address }) => closeOwnAccount(services, signedIn, body.accountName, address), {
    perMinute: 20,
  });
  mount(
    routes.reopenAccount,
    async ({ signedIn, address }) => {
      const { userId, sessionId, accountId } = signedIn;
      const isOpen = await reopenAccount({ ...services, lastBackupDays: billing.lastBackupDays }, accountId, {
        userId,
        sessionId,
        address,
      });
      // Reopened in another tab: that is what was asked for.
      if (!isOpen && signedIn.closedAt) throw new AppError("account_closed");
    },
    { perMinute: 20 },
  );
}
