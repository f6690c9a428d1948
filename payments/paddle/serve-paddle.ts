/**
 * The page that shows Paddle's checkout. Paddle has no hosted page: its script draws the checkout over this one, for the
 * transaction in the address (`_ptxn`). In Paddle's dashboard this page is set as the default payment link.
 */
import type { FastifyInstance } from "fastify";
import { checkoutPath } from "./create-paddle-provider.ts";

export interface PaddleSite {
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

const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Payment</title>
<link rel="stylesheet" href="/paddle/checkout.css"></head><body><main><h1>Payment</h1><p id="state" role="status">Opening the payment page…</p><p><a id="back" href="/account/change-plan">Back to the plans</a></p></main>
<script src="https://cdn.paddle.com/paddle/v2/paddle.js"></script><script src="/paddle/checkout.js"></script></body></html>`;

const pageOver = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Payment</title>
<link rel="stylesheet" href="/paddle/checkout.css"></head><body><main><h1>Payment</h1><p role="status">This payment page is closed. It was already paid, or a newer page replaced it. Nothing will be charged here.</p><p><a href="/manage/billing">Back to billing</a></p></main></body></html>`;

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
    state.textContent = "The payment page could not be loaded. Nothing was charged. Go back and try again.";
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
      if (event.name === "checkout.error") state.textContent = "The payment page could not be loaded. Nothing was charged. Go back and try again.";
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
    const isOver = typeof id === "string" && !(await site.mayBePaid(id));
    return reply
      .code(isOver ? 410 : 200)
      .type("text/html; charset=utf-8")
      .send(isOver ? pageOver : page);
  });
  app.get(`${checkoutPath}.css`, (_request, reply) => reply.type("text/css; charset=utf-8").send(style));
  app.get(`${checkoutPath}.js`, (_request, reply) => reply.type("text/javascript; charset=utf-8").send(script(site)));
}
