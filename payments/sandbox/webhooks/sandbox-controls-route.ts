/** What the developer bar can make the sandbox do. */
import { routes } from "#contract/routes.ts";
import { ProviderRefusal } from "../../payment-provider.ts";
import { AppError } from "#platform/app-error.ts";
import type { Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { Mount } from "#platform/http/mount.ts";
import { refundNewestInvoice, refundPart } from "../calls/refund-invoice.ts";
import { readControls, saveControls } from "./webhook-controls.ts";
import { countWebhooks, sendAgain } from "./webhook-store.ts";

/** Mounted only if the sandbox takes the payments, and never in production. */
export function sandboxControlRoutes(mount: Mount<unknown>, { db, clock, wake }: { db: Database; clock: Clock; wake: () => void }): void {
  const state = async () => ({ webhooks: { ...(await readControls(db)), ...(await countWebhooks(db)) } });
  mount(routes.getSandbox, state);
  mount(routes.changeSandbox, async ({ body }) => {
    if (body.webhooks) await saveControls(db, { ...(await readControls(db)), ...body.webhooks });
    const { refundCustomer, refundAmount, disputeCustomer } = body;
    if (refundCustomer)
      await (
        refundAmount === undefined
          ? refundNewestInvoice(db, refundCustomer, clock.now())
          : refundPart(db, refundCustomer, refundAmount, clock.now())
      ).catch(refuse);
    if (disputeCustomer) await refundNewestInvoice(db, disputeCustomer, clock.now(), "bank").catch(refuse);
    if (body.send) await sendAgain(db, body.send, clock.now());
    wake();
    return state();
  });
}

/** A missing customer or invoice is the tester's mistake, not a fault. */
function refuse(error: unknown): never {
  if (error instanceof ProviderRefusal) throw new AppError("not_found", { detail: error.message, cause: error });
  throw error;
}
