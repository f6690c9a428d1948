/** The page of the customer's bank: 3-D Secure, as the sandbox simulates it. Also pages that only show a message. */
import { html } from "./html.ts";
import { page } from "./layout.ts";

export interface BankView {
  merchant: string;
  /** What is to be confirmed, such as "a payment of $71.40 to Slipway". */
  what: string;
  card: string;
}

export function bankPage({ merchant, what, card }: BankView): string {
  const content = html`<main id="main" class="narrow" tabindex="-1">
    <div class="bank">
      <p class="bank-name">
        <svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="M3 10 12 4l9 6M5 10v8m5-8v8m4-8v8m5-8v8M3 21h18" /></svg> Your
        bank (sandbox)
      </p>
      <h1>Is this you?</h1>
      <p>Confirm ${what} with ${card}.</p>
      <form method="post" class="answers">
        <button class="primary" type="submit" name="answer" value="confirm">Confirm</button>
        <button class="secondary" type="submit" name="answer" value="fail">This wasn't me</button>
      </form>
    </div>
  </main>`;
  return page({ title: "Confirm with your bank", merchant, back: null }, content);
}

export interface MessageView {
  merchant: string;
  title: string;
  text: string;
  link: { label: string; url: string } | null;
}

export function messagePage({ merchant, title, text, link }: MessageView): string {
  const content = html`<main id="main" class="narrow" tabindex="-1">
    <h1>${title}</h1>
    <p class="lead">${text}</p>
    ${link && html`<p><a class="primary" href="${link.url}">${link.label}</a></p>`}
  </main>`;
  return page({ title, merchant, back: null }, content);
}
