/** How an answer of n8n tells that a production execution began: quota-suite.ts holds each release to it. */
import type { EngineExecutionSign } from "../engine.ts";

/**
 * n8n puts this policy on what a workflow answered to its webhook, and drops it from what the workflow itself sets. Calls of
 * unknown webhooks, refused, filtered and failed ones, CORS preflights and the pages of chats have it not; those of forms have, also
 * where nothing runs, so their two addresses are left out. So are resumed executions (`/webhook-waiting`), which count once, and MCP.
 */
export const n8nExecutionSign: EngineExecutionSign = {
  path: /^\/webhook\/(?![^?]*\/n8n-form\/?(?:\?|$))/i,
  header: "content-security-policy",
  value:
    "sandbox allow-downloads allow-forms allow-modals allow-orientation-lock allow-pointer-lock allow-popups allow-popups-to-escape-sandbox allow-presentation allow-scripts allow-top-navigation-by-user-activation allow-top-navigation-to-custom-protocols",
};
