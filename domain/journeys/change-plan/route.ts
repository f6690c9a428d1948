import { routes } from "#contract/routes.ts";
import { cancelScheduledChange } from "#domain/billing/purchases/change/cancel-scheduled-change.ts";
import { confirmChange } from "#domain/billing/purchases/change/confirm-change.ts";
import { quoteChange } from "#domain/billing/purchases/change/quote-change.ts";
import { needRecentPassword } from "#platform/http/refuse-session.ts";
import { refuseTooManyAttempts } from "#domain/attempts/refuse-attempts.ts";
import { actorOf } from "../signed-in/caller.ts";
import { freshUser, type UserServices } from "../signed-in/read-session.ts";
import { idempotencyKey, optionalKey } from "../signed-in/idempotency-key.ts";
import type { Mount } from "../services.ts";

export function changePlanRoutes(mount: Mount, services: UserServices): void {
  const { billing, db, clock } = services;
  const limitPreviews = (accountId: string) => refuseTooManyAttempts(db, "change-preview", accountId, clock.now(), "too_many_requests");

  mount(routes.previewChange, async ({ signedIn, body }) => {
    await limitPreviews(signedIn.accountId);
    return { preview: await quoteChange(billing, signedIn.accountId, { ...body, quotas: null }) };
  });
  mount(routes.previewCustomChange, async ({ signedIn, body }) => {
    await limitPreviews(signedIn.accountId);
    return { preview: await quoteChange(billing, signedIn.accountId, body) };
  });
  mount(routes.changePlan, async ({ signedIn, body, request, address }) => {
    const key = idempotencyKey(request);
    await confirmChange(billing, signedIn.accountId, { ...body, quotas: null }, actorOf(signedIn, address), key, () =>
      needRecentPassword(signedIn, clock.now()),
    );
    return { user: await freshUser(services, request) };
  });
  mount(routes.changeCustomPlan, async ({ signedIn, body, request, address }) => {
    const key = idempotencyKey(request);
    await confirmChange(billing, signedIn.accountId, body, actorOf(signedIn, address), key, () =>
      needRecentPassword(signedIn, clock.now()),
    );
    return { user: await freshUser(services, request) };
  });
  mount(routes.cancelScheduledChange, async ({ signedIn, request, address }) => {
    await cancelScheduledChange(billing, signedIn.accountId, actorOf(signedIn, address), optionalKey(request));
    return { user: await freshUser(services, request) };
  });
}
