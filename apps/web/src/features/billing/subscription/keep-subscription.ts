import { callApi } from "../../../lib/api/api-client.ts";
import { ApiError } from "../../../lib/api/api-error.ts";
import { acceptUser } from "../billing-queries.ts";
import { newIdempotencyKey } from "../checkout/new-idempotency-key.ts";

/**
 * Undoes a cancellation. Without a preview that was agreed to, the service refuses whatever would charge by now. Throws ApiError, with
 * `subscription_required` where the subscription ends nevertheless: once it is over, only a new purchase brings it back.
 */
export async function keepSubscription(): Promise<void> {
  const { user, url } = await callApi("resubscribe", { body: {}, key: newIdempotencyKey() });
  acceptUser(user);
  const { billing } = user.account;
  if (url !== null || !billing || billing.cancelAt !== null || billing.status === "deleted")
    throw new ApiError("subscription_required", 409);
}
