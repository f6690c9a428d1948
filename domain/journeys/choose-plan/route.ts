import { routes } from "#contract/routes.ts";
import { asDelivered } from "#contract/billing/plans/delivered-features.ts";
import type { Plan } from "#contract/billing/plans/plan.ts";
import { startCheckout } from "#domain/billing/purchases/checkout/start-checkout.ts";
import { findPlan, listPlans } from "#domain/plans/read-plans.ts";
import { AppError } from "#platform/app-error.ts";
import { secondMs } from "#platform/clock.ts";
import { currentPlanSpec } from "../signed-in/current-user-view.ts";
import type { Mount, Services } from "../services.ts";
import { actorOf } from "../signed-in/caller.ts";
import { optionalKey } from "../signed-in/idempotency-key.ts";

/** How long a withdrawn plan may still be listed; choosing it is refused immediately. */
const listLivesMs = 10 * secondMs;

export function choosePlanRoutes(mount: Mount, services: Services): void {
  const plans = rememberPlans(services);
  const { delivery } = services;
  const shown = (plan: Plan): Plan => ({ ...plan, spec: asDelivered(plan.spec, delivery) });
  mount(routes.listPlans, async () => ({ plans: (await plans()).map(shown) }));
  mount(routes.getPlan, async ({ params }) => {
    const plan = await findPlan(services.db, params.id);
    if (!plan) throw new AppError("plan_not_found");
    return { plan: shown(plan) };
  });
  mount(routes.getUserPlan, async ({ signedIn }) => {
    const spec = currentPlanSpec(signedIn, delivery);
    if (!spec) throw new AppError("subscription_not_found");
    return spec;
  });
  mount(
    routes.generatePayLink,
    async ({ signedIn, params, body, request, address }) => {
      const wanted = { planId: params.id, quotas: body.quotas ?? null, currency: body.currency ?? null };
      return startCheckout(services.billing, signedIn.accountId, wanted, actorOf(signedIn, address), optionalKey(request));
    },
    { perMinute: 20 },
  );
}

/** Visitors load the list on every visit to the pricing page; the table changes only when an operator applies a catalogue. */
function rememberPlans({ db, clock }: Services): () => Promise<Plan[]> {
  let held: { plans: Promise<Plan[]>; at: number } | null = null;
  return () => {
    const now = clock.now().getTime();
    if (held && Math.abs(now - held.at) < listLivesMs) return held.plans;
    const read = { plans: listPlans(db), at: now };
    held = read;
    // A failure is not cached.
    read.plans.catch(() => held === read && (held = null));
    return read.plans;
  };
}
