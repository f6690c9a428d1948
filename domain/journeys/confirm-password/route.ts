import { routes } from "#contract/routes.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { markPasswordTyped, renewToken } from "#domain/accounts/sessions/session-store.ts";
import { bearerToken, sessionToken, setSessionCookie } from "#platform/http/session-cookie.ts";
import { checkPassword } from "../signed-in/password-guards.ts";
import type { Mount, Services } from "../services.ts";

/**
 * From here on, the session counts as opened with the password; its lifetime does not change. A browser gets a new token, so that a
 * stolen old one gains nothing from the password. A program that sends its token in a header keeps it.
 */
export function confirmPasswordRoutes(mount: Mount, services: Services): void {
  mount(
    routes.confirmPassword,
    async ({ signedIn, body, request, reply, address }) => {
      const { person, hold } = await checkPassword(services, signedIn, body.password, "password");
      const renewed = await services.db.transaction(async (tx) => {
        await hold(tx);
        const token = sessionToken(request, services.cookie)!;
        await markPasswordTyped(tx, token, services.clock.now());
        await writeAudit(
          tx,
          {
            accountId: person.accountId,
            userId: person.userId,
            action: "session.password_confirmed",
            before: { openedBy: signedIn.openedBy },
            address,
          },
          services.clock.now(),
        );
        return bearerToken(request) ? null : renewToken(tx, token);
      });
      if (renewed) setSessionCookie(reply, services.cookie, renewed.token, renewed.expiresAt.getTime() - services.clock.now().getTime());
    },
    { perMinute: 30 },
  );
}
