/** How the sandbox's pages read requests and answer them. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { messagePage } from "./pages/bank-page.ts";
import type { PageWorld } from "./pay-page.ts";
import type { Words } from "./words.ts";

/** What the pages and the tester's controls need. */
export interface SandboxSite extends PageWorld {
  /** The seller's name. */
  merchant: string;
  /** Where a customer continues when their page is gone. */
  panelUrl: string;
  clock: { now(): Date };
  /** Called when events were queued. */
  wake(): void;
}

export const sendPage = (reply: FastifyReply, page: string, status = 200): FastifyReply =>
  reply.code(status).type("text/html; charset=utf-8").send(page);

/** For an address that does not exist or has expired. */
export function sendGone(reply: FastifyReply, site: SandboxSite, words: Words): FastifyReply {
  return sendPage(
    reply,
    messagePage({
      words,
      merchant: site.merchant,
      ...words.gone,
      link: { label: words.backTo(site.merchant), url: site.panelUrl },
    }),
    410,
  );
}

/** For a page whose work is done: going back or reopening its address pays nothing twice. */
export function sendDone(reply: FastifyReply, site: SandboxSite, words: Words, url: string): FastifyReply {
  return sendPage(
    reply,
    messagePage({
      words,
      merchant: site.merchant,
      ...words.done,
      link: { label: words.continue, url },
    }),
  );
}

export const idOf = (request: FastifyRequest): string => (request.params as { id: string }).id;
export const bodyOf = (request: FastifyRequest): Record<string, string> => (request.body ?? {}) as Record<string, string>;
