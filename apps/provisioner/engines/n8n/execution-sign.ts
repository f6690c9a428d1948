/**
 * What the gateway knows about calls of n8n: which of them are calls of webhooks, and how an answer shows that a production execution
 * began; quota-suite.ts checks that for each release.
 */
import type { EngineExecutionSign } from "../port/engine-usage.ts";

/**
 * n8n sets this policy on a workflow's answers to its webhook, and removes it from headers that the workflow sets. Answers to unknown
 * webhooks, refused, filtered and failed calls, CORS preflights and chat pages do not have it. Those of forms have it even if nothing runs,
 * so their two addresses are left out. So are resumed executions (`/webhook-waiting`), which count once, and MCP.
 */
export const n8nExecutionSign: EngineExecutionSign = {
  path: /^\/webhook\/(?![^?]*\/n8n-form\/?(?:\?|$))/i,
  header: "content-security-policy",
  value:
    "sandbox allow-downloads allow-forms allow-modals allow-orientation-lock allow-pointer-lock allow-popups allow-popups-to-escape-sandbox allow-presentation allow-scripts allow-top-navigation-by-user-activation allow-top-navigation-to-custom-protocols",
};

/** Production webhooks, and calls that resume a waiting execution. The editor's test runs, forms and MCP have other paths. */
export const n8nWebhookPath = /^\/webhook(?:-waiting)?\//i;

/**
 * Everything that an active workflow offers to strangers: webhooks and chats, forms, MCP servers, what resumes a waiting execution, and the
 * WebSockets of chats, which may have any path that begins so.
 */
export const n8nCallPath = /^\/(?:(?:webhook|form)(?:-waiting)?\/|mcp\/|chat)/i;
