/** The checkout page. */
import type { Bill } from "../../../ledger/bill.ts";
import type { Items } from "../../../ledger/items.ts";
import type { PayErrors, PayForm } from "../read-pay-form.ts";
import type { Words } from "../words.ts";
import { bearsVatId } from "../../../ledger/sales-tax.ts";
import { alert, cardInputs, described, field, payPalButton, testCardList } from "./card-form.ts";
import { countriesIn } from "./countries.ts";
import { html, type Markup } from "./html.ts";
import { page } from "./layout.ts";

interface CheckoutView {
  words: Words;
  merchant: string;
  email: string;
  items: Items;
  bill: Bill;
  form: PayForm;
  errors: PayErrors;
  message: string | null;
  cancelUrl: string;
  /** Whether street and city must be given. */
  isAddressNeeded: boolean;
  /** When the next payment is due if this one is made now. */
  renewsAt: Date;
}

export function checkoutPage(view: CheckoutView): string {
  const { words, merchant, items, bill, form, errors, message } = view;
  const { checkout: said } = words;
  const content = html`<main id="main" class="columns" tabindex="-1">
    <section class="summary" aria-labelledby="summary-title">
      <h1 id="summary-title">${said.title(items.planName)}</h1>
      <p class="price">
        <span id="total-large">${words.money(bill.due, items.currency)}</span> <span class="per">${words.period(items.cycle)}</span>
      </p>
      ${summaryTable(words, bill, items.currency)}
      <p class="renews">${said.renews(words.day(view.renewsAt), words.period(items.cycle))}</p>
    </section>
    <div class="pay">
      ${alert(words, message, errors)}
      <form id="pay" method="post" novalidate data-price="price" data-pending="${words.pending}">
        <h2>${said.payment}</h2>
        <p class="who"><span class="who-label">${said.email}</span> ${view.email}</p>
        ${payPalButton(words, said.payWith)}
        <p class="or"><span>${said.orByCard}</span></p>
        ${cardInputs(words, form, errors)}
        <h2 class="place-title">${said.address}</h2>
        <div class="place">
          ${countryField(words, form, errors)}
          ${field(words, "line1", form, errors, { label: said.street, optional: !view.isAddressNeeded, attributes: html`autocomplete="off" maxlength="100"` })}
          ${field(words, "postalCode", form, errors, { label: said.postalCode, optional: true, attributes: html`autocomplete="off" maxlength="20"` })}
          ${field(words, "city", form, errors, { label: said.city, optional: !view.isAddressNeeded, attributes: html`autocomplete="off" maxlength="100"` })}
          <div class="vat" ${!bearsVatId(form.country) && html`hidden`}>
            ${field(words, "vatId", form, errors, { label: said.vatId, optional: true, hint: said.vatIdHint, attributes: html`autocomplete="off" maxlength="20" spellcheck="false"` })}
          </div>
        </div>
        <input type="hidden" name="shown" id="shown" value="${bill.due}" />
        <button class="primary" type="submit" id="submit"><span id="submit-label">${payLabel(words, bill, items.currency)}</span></button>
        <p class="hint">${said.hint}</p>
      </form>
    </div>
    ${testCardList(words)}
  </main>`;
  return page({ words, title: said.title(items.planName), merchant, back: { label: words.back, url: view.cancelUrl } }, content);
}

export const payLabel = ({ checkout, money }: Words, bill: Bill, currency: string): string =>
  bill.due === 0 ? checkout.subscribe : checkout.pay(`${money(bill.due, currency)} ${currency}`);

/** Lines, tax and total. They change with the country, so this part has its own function and id. */
export function summaryTable(words: Words, bill: Bill, currency: string): Markup {
  const money = (amount: number) => words.money(amount, currency);
  return html`<dl id="sum" class="sum" aria-live="polite">
    ${bill.lines.map(
      ({ label, quantity, amount }) =>
        html`<div>
          <dt>${quantity > 1 && html`${quantity} × `}${words.said(label)}</dt>
          <dd>${money(amount.amount)}</dd>
        </div>`,
    )}
    ${
      bill.tax &&
      html`<div class="soft">
        <dt>
          ${words.said(bill.tax.name)} ${bill.tax.ratePercent?.toLocaleString(words.language)}
          %${bill.tax.inclusive && ` ${words.checkout.included}`}
        </dt>
        <dd>${money(bill.tax.amount.amount)}</dd>
      </div>`
    }
    ${
      bill.creditUsed > 0 &&
      html`<div class="soft">
        <dt>${words.checkout.credit}</dt>
        <dd>${money(-bill.creditUsed)}</dd>
      </div>`
    }
    <div class="total">
      <dt>${words.checkout.dueToday}</dt>
      <dd>${money(bill.due)}</dd>
    </div>
  </dl>`;
}

function countryField(words: Words, form: PayForm, errors: PayErrors): Markup {
  return html`<div class="field field-country">
    <label for="country">${words.checkout.country}</label>
    <select id="country" name="country" ${described("country", undefined, errors.country)}>
      ${form.country === "" && html`<option value="">${words.checkout.chooseCountry}</option>`}
      ${countriesIn(words.language).map(({ code, name }) => html`<option value="${code}" ${code === form.country && html` selected`}${bearsVatId(code) && html` data-vat="yes"`}>${name}</option>`)}
    </select>
    ${errors.country && html`<p class="error" id="country-error">${errors.country}</p>`}
  </div>`;
}
