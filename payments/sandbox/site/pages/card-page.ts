/** The page for changing the card. */
import type { PayErrors, PayForm } from "../read-pay-form.ts";
import type { KeptCard } from "../../sums/test-cards.ts";
import { alert, cardInputs, payPalButton, testCardList } from "./card-form.ts";
import { html } from "./html.ts";
import { page } from "./layout.ts";

export interface CardView {
  merchant: string;
  current: KeptCard | null;
  /** The formatted amount that is open and will be charged to the new card immediately. */
  open: string | null;
  form: PayForm;
  errors: PayErrors;
  message: string | null;
  returnUrl: string;
}

export function cardPage({ merchant, current, open, form, errors, message, returnUrl }: CardView): string {
  const content = html`<main id="main" class="narrow" tabindex="-1">
    <h1>Change your card</h1>
    <p class="lead">
      ${current ? `Your current payment method is ${cardName(current)}.` : "You have no card on file."}${open && html` <strong>${open} is due and will be charged to the new card.</strong>`}
    </p>
    <div class="pay">
      ${alert(message, errors)}
      <form id="pay" method="post" novalidate>
        ${payPalButton("Use")}
        <p class="or"><span>or another card</span></p>
        ${cardInputs(form, errors)}
        <button class="primary" type="submit" id="submit">
          <span id="submit-label">${open ? `Save card and pay ${open}` : "Save card"}</span>
        </button>
      </form>
      ${testCardList()}
    </div>
  </main>`;
  return page({ title: "Change your card", merchant, back: { label: "Back", url: returnUrl } }, content);
}

export function cardName({ brand, lastFour }: Pick<KeptCard, "brand" | "lastFour">): string {
  if (brand === "paypal") return "PayPal";
  return `${brandNames[brand]} ending in ${lastFour}`;
}

const brandNames = {
  visa: "Visa",
  mastercard: "Mastercard",
  amex: "American Express",
  discover: "Discover",
  maestro: "Maestro",
  generic: "the card",
} as const;
