import { t } from "../words.ts";
import type { PaymentInformation } from "../billing-queries.ts";

/** A card in words, such as `Visa ending in 4242`; PayPal has no digits. */
export function cardText({ brand, lastFour }: Pick<PaymentInformation, "brand" | "lastFour">): string {
  const name = t(`billing.card.brands.${brand}`);
  return lastFour ? t("billing.card.lastFourSaid", { brand: name, lastFour }) : name;
}
