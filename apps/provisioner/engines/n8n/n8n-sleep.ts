/** Asks an n8n whether it may sleep, through the hook (workspace-side/sleep-route.mts). */
import type { z } from "zod";
import { createAsk, type Caller } from "../call-workspace.ts";
import type { EngineRest, EngineSleep } from "../engine.ts";
import { saidRest } from "../said-rest.ts";
import { n8nSleepingCalls, saidWebhooks } from "./n8n-sleeping-calls.ts";

const saidN8nRest = saidRest.extend({ webhooks: saidWebhooks }) satisfies z.ZodType<EngineRest>;

/** The engine's part in sleep. */
export function createN8nSleep(caller: Caller): EngineSleep {
  const ask = createAsk(caller, "status");
  return {
    ask: (address, workspaceId) => ask(saidN8nRest, address, workspaceId, "/_slipway/sleep"),
    monitored: /^\/healthz(?:\/readiness)?\/?(?:\?|$)/,
    // n8n's webhooks, forms and MCP servers have their own prefixes, so none of these belongs to a workflow.
    absent: new RegExp(`^/(?:${[scanned, crawled].join("|")})`, "i"),
    calls: n8nSleepingCalls,
  };
}

/** What scanners for weaknesses look for. */
const scanned = String.raw`\.(?!well-known/)|wp-|wordpress/|cgi-bin/|phpmyadmin|vendor/phpunit|[^/?]+\.(?:php\d?|aspx?|jsp|cgi|env|sql)(?:\?|$)`;

/**
 * What browsers, search engines and feed readers ask of every site. An awake n8n answers its icon itself. Its addresses for OAuth are below
 * `.well-known`, too, so that only names are here that it never has.
 */
const crawled = String.raw`(?:${[
  String.raw`(?:robots|ads|app-ads|humans|security|llms)\.txt`,
  String.raw`(?:favicon|apple-touch-icon)[\w-]*\.(?:ico|png|svg)`,
  String.raw`sitemap[\w-]*\.xml(?:\.gz)?|(?:browserconfig|crossdomain|rss|feed|atom)\.xml|feed/?`,
  String.raw`\.well-known/(?:security\.txt|change-password|apple-app-site-association|assetlinks\.json|traffic-advice|gpc\.json|dnt-policy\.txt|passkey-endpoints|nodeinfo|webfinger|host-meta|ai-plugin\.json|acme-challenge/[^/?]*)`,
].join("|")})(?:\?|$)`;
