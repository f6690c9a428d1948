/** The checkout page. */
import type { Bill } from "../../sums/bill.ts";
import { periodWord, type Items } from "../../sums/items.ts";
import { formatMoney } from "../../sums/money-math.ts";
import type { PayErrors, PayForm } from "../read-pay-form.ts";
import { bearsVatId } from "../../sums/sales-tax.ts";
import { alert, cardInputs, described, field, payPalButton, testCardList } from "./card-form.ts";
import { countries } from "./countries.ts";
import { html, type Markup } from "./html.ts";
import { page } from "./layout.ts";

export interface CheckoutView {
  merchant: string;
  email: string;
  items: Items;
  bill: Bill;
  form: PayForm;
  errors: PayErrors;
  message: string | null;
  cancelUrl: string;
  /** When the next payment is due if this one is made now. */
  renewsAt: Date;
}

const longDay = (at: Date): string => new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: "UTC" }).format(at);

export function checkoutPage(view: CheckoutView): string {
  const { merchant, items, bill, form, errors, message } = view;
  const content = html`<main id="main" class="columns" tabindex="-1">
    <section class="summary" aria-labelledby="summary-title">
      <h1 id="summary-title">Subscribe to ${items.planName}</h1>
      <p class="price">
        <span id="total-large">${formatMoney(bill.due, items.currency)}</span> <span class="per">${periodWord(items.cycle)}</span>
      </p>
      ${summaryTable(bill, items.currency)}
      <p class="renews">Renews on ${longDay(view.renewsAt)}, then ${periodWord(items.cycle)} until you cancel.</p>
    </section>
    <div class="pay">
      ${alert(message, errors)}
      <form id="pay" method="post" novalidate data-price="price">
        <h2>Payment</h2>
        <p class="who"><span class="who-label">Email</span> ${view.email}</p>
        ${payPalButton("Pay with")}
        <p class="or"><span>or pay by card</span></p>
        ${cardInputs(form, errors)}
        <h2 class="place-title">Billing address</h2>
        <div class="place">
          ${countryField(form, errors)}
          ${field("postalCode", form, errors, { label: "Postal code", optional: true, attributes: html`autocomplete="off" maxlength="20"` })}
          <div class="vat" ${!bearsVatId(form.country) && html`hidden`}>
            ${field("vatId", form, errors, { label: "VAT ID", optional: true, hint: "For businesses in the European Union.", attributes: html`autocomplete="off" maxlength="20" spellcheck="false"` })}
          </div>
        </div>
        <input type="hidden" name="shown" id="shown" value="${bill.due}" />
        <button class="primary" type="submit" id="submit"><span id="submit-label">${payLabel(bill, items.currency)}</span></button>
        <p class="hint">This is a sandbox payment page. It accepts test cards only.</p>
      </form>
    </div>
    ${testCardList()}
  </main>`;
  return page({ title: `Subscribe to ${items.planName}`, merchant, back: { label: "Back", url: view.cancelUrl } }, content);
}

export const payLabel = (bill: Bill, currency: string): string =>
  bill.due === 0 ? "Subscribe" : `Pay ${formatMoney(bill.due, currency)} ${currency}`;

/** Lines, tax and total. They change with the country, so this part has its own function and id. */
export function summaryTable(bill: Bill, currency: string): Markup {
  const money = (amount: number) => formatMoney(amount, currency);
  return html`<dl id="sum" class="sum" aria-live="polite">
    ${bill.lines.map(
      ({ label, quantity, amount }) =>
        html`<div>
          <dt>${quantity > 1 && html`${quantity} × `}${label}</dt>
          <dd>${money(amount.amount)}</dd>
        </div>`,
    )}
    ${
      bill.tax &&
      html`<div class="soft">
        <dt>${bill.tax.name} ${bill.tax.ratePercent} %${bill.tax.inclusive && " (included)"}</dt>
        <dd>${money(bill.tax.amount.amount)}</dd>
      </div>`
    }
    ${
      bill.creditUsed > 0 &&
      html`<div class="soft">
        <dt>Account credit</dt>
        <dd>${money(-bill.creditUsed)}</dd>
      </div>`
    }
    <div class="total">
      <dt>Due today</dt>
      <dd>${money(bill.due)}</dd>
    </div>
  </dl>`;
}

function countryField(form: PayForm, errors: PayErrors): Markup {
  return html`<div class="field field-country">
    <label for="country">Country</label>
    <select id="country" name="country" ${described("country", undefined, errors.country)}>
      ${form.country === "" && html`<option value="">Choose…</option>`}
      ${countries.map(({ code, name }) => html`<option value="${code}" ${code === form.country && html` selected`}${bearsVatId(code) && html` data-vat="yes"`}>${name}</option>`)}
    </select>
    ${errors.country && html`<p class="error" id="country-error">${errors.country}</p>`}
  </div>`;
}
