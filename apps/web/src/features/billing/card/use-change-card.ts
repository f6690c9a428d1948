import { callApi } from "../../../lib/api/api-client.ts";
import { sessionValues } from "../../../lib/browser/stored-value.ts";
import { useAction, type Action } from "../../../lib/use-action.ts";
import { followLink } from "../checkout/follow-link.ts";

const leftKey = "slipway.left-for-card";

/** Opens the provider's page for changing the card; its address is requested at each click, because it expires. */
export const useChangeCard = (): Action<void> =>
  useAction(async () => {
    const { url } = await callApi("changeCard", { body: {} });
    sessionValues.write(leftKey, "yes");
    followLink(url);
  });

/** Whether the customer has just returned from that page; true once. */
export function takeLeftForCard(): boolean {
  const hasLeft = sessionValues.read(leftKey) === "yes";
  if (hasLeft) sessionValues.remove(leftKey);
  return hasLeft;
}
