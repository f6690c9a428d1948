import { routes } from "#contract/routes.ts";
import { writeAudit } from "#domain/accounts/audit-store.ts";
import { markPasswordTyped } from "#domain/accounts/session-store.ts";
import { sessionToken } from "#platform/http/session-cookie.ts";
import { checkPassword } from "../change-password/check-password.ts";
import type { Mount, Services } from "../services.ts";

/** From here on the session counts as opened by the password; how long it lives stays as it was. */
export function confirmPasswordRoutes(mount: Mount, services: Services): void {
  mount(
    routes.confirmPassword,
    async ({ signedIn, body, request, address }) => {
      const { accountId, userId } = await checkPassword(services, signedIn.userId, body.password, "password");
      await services.db.transaction(async (tx) => {
        await markPasswordTyped(tx, sessionToken(request, services.cookie)!);
        await writeAudit(tx, { accountId, userId, action: "session.password_confirmed", before: { openedBy: signedIn.openedBy }, address }, services.clock.now());
      });
    },
    { perMinute: 30 },
  );
}
