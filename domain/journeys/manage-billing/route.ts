import { fieldMessage } from "#contract/api/field-words.ts";
import { routes } from "#contract/routes.ts";
import { refuseTooManyAttempts } from "#domain/attempts/refuse-attempts.ts";
import { cancelSubscription } from "#domain/billing/purchases/cancel-subscription.ts";
import { completeCheckout } from "#domain/billing/purchases/checkout/complete-checkout.ts";
import { quoteResubscribe } from "#domain/billing/purchases/quote-resubscribe.ts";
import { resubscribe } from "#domain/billing/purchases/resubscribe.ts";
import { retryPayment } from "#domain/billing/purchases/retry-payment.ts";
import { findPlan } from "#domain/plans/read-plans.ts";
import { AppError } from "#platform/app-error.ts";
import { actorOf } from "../signed-in/caller.ts";
import { freshUser, type UserServices } from "../signed-in/read-session.ts";
import { idempotencyKey } from "../signed-in/idempotency-key.ts";
import type { Mount } from "../services.ts";
import { cardView } from "./payment-views.ts";
import { readSubscriptionView } from "./subscription-view.ts";

export function manageBillingRoutes(mount: Mount, services: UserServices): void {
  const { billing, db, clock } = services;

  mount(routes.getSubscription, async ({ signedIn }) => ({
    subscription: await readSubscriptionView(db, signedIn.accountId, billing.provider),
  }));
  mount(routes.isBillingActive, async ({ signedIn }) => {
    const { status, provider } = signedIn.subscription ?? {};
    // Free days of a subscription at the provider: nothing is missing for it.
    if (status !== "active" && (status !== "trialing" || provider === null)) throw new AppError("subscription_not_found");
  });
  mount(routes.completeCheckout, async ({ signedIn, body, request, address }) => {
    if (!(await findPlan(db, body.planId))) throw new AppError("plan_not_found");
    await completeCheckout(billing, signedIn.accountId, actorOf(signedIn, address));
    return { user: await freshUser(services, request) };
  });
  mount(routes.cancelSubscription, async ({ signedIn, body, request, address }) => {
    const key = idempotencyKey(request);
    if (body.accountName !== signedIn.accountName) throw wrongName();
    await cancelSubscription(billing, signedIn.accountId, { reason: body.reason?.trim() || null }, actorOf(signedIn, address), key);
    return { user: await freshUser(services, request) };
  });
  mount(routes.previewResubscribe, async ({ signedIn }) => {
    await refuseTooManyAttempts(db, "change-preview", signedIn.accountId, clock.now(), "too_many_requests");
    const { card, ...quote } = await quoteResubscribe(billing, signedIn.accountId);
    return { preview: { ...quote, card: card && cardView(card, clock.now()) } };
  });
  mount(routes.resubscribe, async ({ signedIn, body, request, address }) => {
    const key = idempotencyKey(request);
    const { url } = await resubscribe(billing, signedIn.accountId, body.previewId ?? null, actorOf(signedIn, address), key);
    return { user: await freshUser(services, request), url };
  });
  mount(routes.retryPayment, async ({ signedIn, body, request, address }) => {
    const key = idempotencyKey(request);
    await refuseTooManyAttempts(db, "payment-retry", signedIn.accountId, clock.now(), "too_many_requests");
    await retryPayment(billing, signedIn.accountId, actorOf(signedIn, address), key, body.shown);
    return { user: await freshUser(services, request) };
  });
}

function wrongName(): AppError {
  const code = "account_name.confirmation";
  return new AppError("validation_failed", { errors: [{ path: "accountName", code, message: fieldMessage(code) }] });
}
