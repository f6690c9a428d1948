/**
 * The page that shows Paddle's checkout. Paddle has no hosted page: its script draws the checkout over this one, for the
 * transaction in the address (`_ptxn`). In Paddle's dashboard this page is set as the default payment link.
 */
import type { FastifyInstance } from "fastify";
import { requestedLanguage, type Language } from "#contract/accounts/language.ts";
import { checkoutPath } from "./create-paddle-provider.ts";

interface PaddleSite {
  /** Public by design: it can only open checkouts. */
  clientToken: string;
  environment: "sandbox" | "production";
  publicUrl: string;
  /** False for a replaced checkout: it is not shown any more. */
  mayBePaid(transactionId: string): Promise<boolean>;
}

const policy = [
  "default-src 'none'",
  "script-src 'self' https://cdn.paddle.com https://public.profitwell.com",
  "style-src 'self' 'unsafe-inline' https://cdn.paddle.com https://sandbox-cdn.paddle.com",
  "frame-src https://buy.paddle.com https://sandbox-buy.paddle.com",
  "connect-src 'self' https://*.paddle.com",
  "img-src 'self' data: https://*.paddle.com",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

interface Words {
  title: string;
  opening: string;
  failed: string;
  toPlans: string;
  over: string;
  toBilling: string;
}

/** None has a character that HTML would have escaped. */
export const paddleWords: Record<Language, Words> = {
  en: {
    title: "Payment",
    opening: "Opening the payment page…",
    failed: "The payment page could not be loaded. Nothing was charged. Go back and try again.",
    toPlans: "Back to the plans",
    over: "This payment page is closed. It was already paid, or a newer page replaced it. Nothing will be charged here.",
    toBilling: "Back to billing",
  },
  de: {
    title: "Zahlung",
    opening: "Die Zahlungsseite wird geöffnet …",
    failed: "Die Zahlungsseite konnte nicht geladen werden. Es wurde nichts abgebucht. Gehen Sie zurück, und versuchen Sie es noch einmal.",
    toPlans: "Zurück zu den Tarifen",
    over: "Diese Zahlungsseite ist geschlossen. Sie wurde schon bezahlt oder durch eine neuere ersetzt. Hier wird nichts abgebucht.",
    toBilling: "Zurück zur Abrechnung",
  },
};

const pageWith = (language: Language, content: string, scripts = ""): string =>
  `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${paddleWords[language].title}</title>
<link rel="stylesheet" href="/paddle/checkout.css"></head><body><main><h1>${paddleWords[language].title}</h1>${content}</main>${scripts}</body></html>`;

/** Its script finds its words here. */
const page = (language: Language): string => {
  const { opening, failed, toPlans } = paddleWords[language];
  return pageWith(
    language,
    `<p id="state" role="status" data-failed="${failed}">${opening}</p><p><a id="back" href="/account/change-plan">${toPlans}</a></p>`,
    `
<script src="https://cdn.paddle.com/paddle/v2/paddle.js"></script><script src="/paddle/checkout.js"></script>`,
  );
};

const pageOver = (language: Language): string => {
  const { over, toBilling } = paddleWords[language];
  return pageWith(language, `<p role="status">${over}</p><p><a href="/manage/billing">${toBilling}</a></p>`);
};

const style = `body{font:16px/1.5 system-ui,sans-serif;margin:0;display:grid;place-items:center;min-height:100vh;background:#f6f7f9;color:#171a21}
main{padding:2rem}h1{font-size:1.25rem;margin:0 0 .5rem}a{color:#2f5bd7;font-weight:600}
@media(prefers-color-scheme:dark){body{background:#12141a;color:#eceef3}a{color:#8fadff}}`;

/** The page redirects only within the panel, whatever its own address says. */
const script = ({ clientToken, environment }: PaddleSite): string => `"use strict";
(() => {
  const query = new URLSearchParams(location.search);
  const own = (name, fallback) => {
    try {
      const url = new URL(query.get(name) ?? fallback, location.origin);
      return url.origin === location.origin ? url.href : new URL(fallback, location.origin).href;
    } catch {
      return new URL(fallback, location.origin).href;
    }
  };
  const success = own("success", "/manage/billing");
  const cancel = own("cancel", "/account/change-plan");
  document.getElementById("back").href = cancel;
  const state = document.getElementById("state");
  if (typeof Paddle === "undefined" || !query.get("_ptxn")) {
    state.textContent = state.dataset.failed;
    return;
  }
  if (${JSON.stringify(environment)} === "sandbox") Paddle.Environment.set("sandbox");
  let isPaid = false;
  Paddle.Initialize({
    token: ${JSON.stringify(clientToken)},
    checkout: { settings: { successUrl: success, displayMode: "overlay" } },
    eventCallback: (event) => {
      if (event.name === "checkout.loaded") state.textContent = "";
      if (event.name === "checkout.completed") isPaid = true;
      if (event.name === "checkout.closed") location.href = isPaid ? success : cancel;
      if (event.name === "checkout.error") state.textContent = state.dataset.failed;
    },
  });
})();
`;

/** A Fastify plugin: the page, its style and its script, with a policy that admits only Paddle. */
export async function servePaddle(app: FastifyInstance, site: PaddleSite): Promise<void> {
  app.addHook("onSend", async (_request, reply) => {
    void reply.headers({
      "content-security-policy": policy,
      "cache-control": "no-store",
      "referrer-policy": "strict-origin",
      "x-robots-tag": "noindex",
    });
  });
  app.get(checkoutPath, async (request, reply) => {
    const { _ptxn: id } = request.query as { _ptxn?: unknown };
    const language = requestedLanguage(request.headers) ?? "en";
    const isOver = typeof id === "string" && !(await site.mayBePaid(id));
    return reply
      .code(isOver ? 410 : 200)
      .type("text/html; charset=utf-8")
      .send(isOver ? pageOver(language) : page(language));
  });
  app.get(`${checkoutPath}.css`, (_request, reply) => reply.type("text/css; charset=utf-8").send(style));
  app.get(`${checkoutPath}.js`, (_request, reply) => reply.type("text/javascript; charset=utf-8").send(script(site)));
}
