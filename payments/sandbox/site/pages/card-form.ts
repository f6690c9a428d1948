/** The card fields, the list of test cards and the PayPal button, shared by the checkout and the card page. */
import type { PayErrors, PayField, PayForm } from "../read-pay-form.ts";
import { testCards } from "../../test-cards.ts";
import type { Words } from "../words.ts";
import { html, type Markup } from "./html.ts";

interface FieldOptions {
  label: string;
  hint?: string;
  attributes?: Markup;
  optional?: boolean;
}

/** A labelled input with its error beside it. */
export function field(
  words: Words,
  name: PayField,
  form: PayForm,
  errors: PayErrors,
  { label, hint, attributes, optional }: FieldOptions,
): Markup {
  const error = errors[name];
  return html`<div class="field field-${name}">
    <label for="${name}">${label}${optional && html` <span class="optional">${words.form.optional}</span>`}</label>
    <input id="${name}" name="${name}" value="${form[name]}" ${attributes}${described(name, hint, error)} />
    ${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`} ${error && html`<p class="error" id="${name}-error">${error}</p>`}
  </div>`;
}

export function described(name: string, hint: string | undefined, error: string | undefined): Markup {
  const ids = [error ? `${name}-error` : "", hint ? `${name}-hint` : ""].filter((id) => id !== "").join(" ");
  return html`${error && html` aria-invalid="true"`}${ids !== "" && html` aria-describedby="${ids}"`}`;
}

export function cardInputs(words: Words, form: PayForm, errors: PayErrors): Markup {
  return html`<div class="card-inputs">
    ${field(words, "number", form, errors, { label: words.form.number, attributes: html`inputmode="numeric" autocomplete="off" placeholder="1234 1234 1234 1234" spellcheck="false"` })}
    ${field(words, "expiry", form, errors, { label: words.form.expiry, attributes: html`inputmode="numeric" autocomplete="off" placeholder="${words.form.expiryForm}"` })}
    ${field(words, "cvc", form, errors, { label: words.form.code, attributes: html`inputmode="numeric" autocomplete="off" placeholder="123" maxlength="4"` })}
    ${field(words, "name", form, errors, { label: words.form.name, attributes: html`autocomplete="off"` })}
  </div>`;
}

/** One button per test card. It fills in the card in the browser, or without scripts through the server. */
export function testCardList(words: Words): Markup {
  return html`<section class="test-cards" aria-labelledby="test-cards-title">
    <h2 id="test-cards-title">${words.form.testCards}</h2>
    <p class="hint">${words.form.testCardsHint}</p>
    <ul>
      ${testCards.map(
        (card, index) =>
          html`<li>
            <button
              class="test-card"
              type="submit"
              form="pay"
              name="use"
              value="${index}"
              formnovalidate
              data-number="${grouped(card.number)}"
              data-cvc="${card.brand === "amex" ? "1234" : "123"}"
            >
              <span class="brand brand-${card.brand}" aria-hidden="true">${brandMark[card.brand]}</span
              ><span class="test-card-text"
                ><span class="test-card-title">${words.testCard(card)}</span>
                <span class="test-card-number">${grouped(card.number)}</span></span
              >
            </button>
          </li>`,
      )}
    </ul>
  </section>`;
}

const brandMark = { visa: "VISA", mastercard: "MC", amex: "AMEX", discover: "DISC", maestro: "MAES", generic: "CARD" } as const;

/** Grouped as printed on the card: 14 and 15 digit numbers have a middle group of six. */
export const grouped = (number: string): string =>
  number.length === 16 ? number.replaceAll(/(\d{4})(?=\d)/g, "$1 ") : number.replace(/^(\d{4})(\d{6})/, "$1 $2 ");

/** Enter in a field presses the form's first button, which must be the one that pays by card. So a hidden one precedes this button. */
export const payPalButton = (words: Words, label: string): Markup =>
  html`<button class="default" type="submit" tabindex="-1" aria-hidden="true">${words.form.payByCard}</button
    ><button class="paypal" type="submit" name="method" value="paypal" formnovalidate>${label} <b class="paypal-mark">PayPal</b></button>`;

/** The error message at the top of the form. */
export function alert(words: Words, message: string | null, errors: PayErrors): Markup | null {
  const count = Object.keys(errors).length;
  const text = message ?? (count === 0 ? null : words.invalidFields(count));
  return text === null ? null : html`<div class="alert" role="alert" tabindex="-1" id="alert">${text}</div>`;
}
