import { callApi } from "../../../lib/api/api-client.ts";
import { ApiError } from "../../../lib/api/api-error.ts";
import { acceptUser } from "../billing-queries.ts";
import { newIdempotencyKey } from "../checkout/new-idempotency-key.ts";

/**
 * Undoes a cancellation. Without a confirmed preview, the service refuses if it would charge anything by now. Throws ApiError:
 * `subscription_required` if the subscription ends nevertheless, because only a new purchase brings an ended one back.
 */
export async function keepSubscription(): Promise<void> {
  const { user, url } = await callApi("resubscribe", { body: {}, key: newIdempotencyKey() });
  acceptUser(user);
  const { billing } = user.account;
  if (url !== null || !billing || billing.cancelAt !== null || billing.status === "deleted")
    throw new ApiError("subscription_required", 409);
}
