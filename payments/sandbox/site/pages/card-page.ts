/** The page for changing the card. */
import type { PayErrors, PayForm } from "../read-pay-form.ts";
import type { Words } from "../words.ts";
import type { KeptCard } from "../../test-cards.ts";
import { alert, cardInputs, payPalButton, testCardList } from "./card-form.ts";
import { html } from "./html.ts";
import { page } from "./layout.ts";

interface CardView {
  words: Words;
  merchant: string;
  current: KeptCard | null;
  /** The formatted amount that is open and will be charged to the new card immediately. */
  open: string | null;
  form: PayForm;
  errors: PayErrors;
  message: string | null;
  returnUrl: string;
}

export function cardPage({ words, merchant, current, open, form, errors, message, returnUrl }: CardView): string {
  const { cardPage: said } = words;
  const content = html`<main id="main" class="narrow" tabindex="-1">
    <h1>${said.title}</h1>
    <p class="lead">${current ? said.current(cardName(words, current)) : said.none}${open && html` <strong>${said.open(open)}</strong>`}</p>
    <div class="pay">
      ${alert(words, message, errors)}
      <form id="pay" method="post" novalidate data-pending="${words.pending}">
        ${payPalButton(words, said.use)}
        <p class="or"><span>${said.orAnother}</span></p>
        ${cardInputs(words, form, errors)}
        <button class="primary" type="submit" id="submit">
          <span id="submit-label">${open ? said.saveAndPay(open) : said.save}</span>
        </button>
      </form>
      ${testCardList(words)}
    </div>
  </main>`;
  return page({ words, title: said.title, merchant, back: { label: words.back, url: returnUrl } }, content);
}

export function cardName(words: Words, { brand, lastFour }: Pick<KeptCard, "brand" | "lastFour">): string {
  if (brand === "paypal") return "PayPal";
  return words.card(brand === "generic" ? words.genericCard : brandNames[brand], lastFour);
}

const brandNames = {
  visa: "Visa",
  mastercard: "Mastercard",
  amex: "American Express",
  discover: "Discover",
  maestro: "Maestro",
} as const;
