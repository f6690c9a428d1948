/** The sandbox's web pages, below /sandbox on the panel's host. They act as an outside party: no session, and a separate policy. */
import { readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import { messagePage } from "./pages/bank-page.ts";
import { sendPage, type SandboxSite } from "./page-answers.ts";
import { serveBank } from "./serve-bank.ts";
import { serveCardPage } from "./serve-card-page.ts";
import { serveCheckout } from "./serve-checkout.ts";
import { wordsFor, type Words } from "./words.ts";

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const bodyLimitBytes = 16 * 1024;

/** A Fastify plugin that serves every page of the sandbox. */
export async function serveSandbox(app: FastifyInstance, site: SandboxSite): Promise<void> {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string", bodyLimit: bodyLimitBytes },
    (_request, body, done) => {
      done(null, Object.fromEntries(new URLSearchParams(body as string)));
    },
  );
  app.addHook("onSend", async (_request, reply) => {
    // These pages hold what a customer types: do not cache them, and allow no outside scripts.
    void reply.headers({
      "content-security-policy": policy,
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-robots-tag": "noindex",
    });
  });
  app.setErrorHandler((error, request, reply) => {
    const status = (error as { statusCode?: number }).statusCode ?? 500;
    if (status >= 500) request.log.error({ err: error }, "a page of the payment sandbox failed");
    return sendPage(reply, trouble(site, wordsFor(request)), status >= 500 ? 500 : 400);
  });

  const file = (name: string, type: string) => {
    const content = readFileSync(new URL(`pages/${name}`, import.meta.url));
    app.get(`/sandbox/${name}`, (_request, reply) => reply.type(type).send(content));
  };
  file("checkout.css", "text/css; charset=utf-8");
  file("checkout.js", "text/javascript; charset=utf-8");
  serveCheckout(app, site);
  serveCardPage(app, site);
  serveBank(app, site);
}

const trouble = (site: SandboxSite, words: Words) =>
  messagePage({
    words,
    merchant: site.merchant,
    ...words.trouble,
    link: { label: words.backTo(site.merchant), url: site.panelUrl },
  });
