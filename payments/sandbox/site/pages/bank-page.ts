/** The page of the customer's bank: 3-D Secure, as the sandbox simulates it. Also pages that only show a message. */
import type { Words } from "../words.ts";
import { html } from "./html.ts";
import { page } from "./layout.ts";

interface BankView {
  words: Words;
  merchant: string;
  /** What is to be confirmed, as a sentence. */
  question: string;
}

export function bankPage({ words, merchant, question }: BankView): string {
  const content = html`<main id="main" class="narrow" tabindex="-1">
    <div class="bank">
      <p class="bank-name">
        <svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="M3 10 12 4l9 6M5 10v8m5-8v8m4-8v8m5-8v8M3 21h18" /></svg>
        ${words.bank.name}
      </p>
      <h1>${words.bank.heading}</h1>
      <p>${question}</p>
      <form method="post" class="answers">
        <button class="primary" type="submit" name="answer" value="confirm">${words.bank.confirm}</button>
        <button class="secondary" type="submit" name="answer" value="fail">${words.bank.refuse}</button>
      </form>
    </div>
  </main>`;
  return page({ words, title: words.bank.title, merchant, back: null }, content);
}

interface MessageView {
  words: Words;
  merchant: string;
  title: string;
  text: string;
  link: { label: string; url: string } | null;
}

export function messagePage({ words, merchant, title, text, link }: MessageView): string {
  const content = html`<main id="main" class="narrow" tabindex="-1">
    <h1>${title}</h1>
    <p class="lead">${text}</p>
    ${link && html`<p><a class="primary" href="${link.url}">${link.label}</a></p>`}
  </main>`;
  return page({ words, title, merchant, back: null }, content);
}
