/**
 * Calls of webhooks of a sleeping n8n: which of them no workflow would take, and what n8n would answer. n8n-sleep.engine.test.ts compares
 * the answers with n8n's own. Whatever is unusual wakes it: only n8n knows how it reads that.
 */
import { z } from "zod";
import type { KnownCall, KnownWebhooks } from "#domain/workspaces/webhooks/sleeping-webhooks.ts";
import type { EngineSleepingCalls, WebhookCall } from "../engine.ts";
import { mostKnownBytes, mostKnownWebhooks } from "./workspace-side/known-webhooks.mts";

/** All that n8n passes on to workflows. What follows is plain ASCII, without what a parser of URLs may take for something else. */
const prefix = /^\/(webhook|form|mcp)(?:-(test|(?<!mcp-)waiting))?\/([!"$-[\]-~]+)$/i;
const methods: readonly string[] = ["DELETE", "GET", "HEAD", "PATCH", "POST", "PUT"];

/**
 * As n8n reads it: the segments are decoded one by one, and then one slash at the end is left out, also one that was encoded. An execution is
 * resumed by its id, with at most one segment after it.
 */
function read(method: string, url: string): WebhookCall | null {
  const [, base = "", kind = "live", rest = ""] = prefix.exec(url.replace(/\?.*$/s, "")) ?? [];
  const segments = decoded(rest.replace(/\/$/, ""));
  if (base === "" || segments === null || (kind === "waiting" && segments.length > 2)) return null;
  const path = `${segments.join("/")}${rest.endsWith("/") ? "/" : ""}`.replace(/\/$/, "");
  if (path === "") return null;
  const [first, ...others] = path.split("/");
  return {
    method,
    kind: kind.toLowerCase() as WebhookCall["kind"],
    isForm: base.toLowerCase() === "form" || segments.at(-1) === "n8n-form",
    path,
    template: `${first} ${others.length}`,
  };
}

/** Null for what no one types: an empty segment, a control character, or what cannot be decoded. */
function decoded(path: string): string[] | null {
  try {
    const segments = path.split("/").map((segment) => decodeURIComponent(segment));
    return segments.every((segment) => segment !== "" && isPlain(segment)) ? segments : null;
  } catch {
    return null;
  }
}

/** Text that the database takes. */
const isPlain = (text: string): boolean => text.isWellFormed() && !/\p{Cc}/u.test(text);

function refuse(call: WebhookCall, known: KnownCall): { json: string } | "page" | null {
  if (!isRefused(call, known)) return null;
  return call.isForm ? "page" : { json: JSON.stringify({ code: 404, ...wordsFor(call, known) }) };
}

function isRefused({ kind, method, path }: WebhookCall, { methods: owned, isTemplated, executions }: KnownCall): boolean {
  if (kind === "test") return true;
  if (kind === "waiting") return !mayExist(path, executions);
  if (isTemplated) return false;
  // A preflight asks what the workflow's own settings answer.
  return owned === null || (methods.includes(method) && !owned.includes(method));
}

/** The status of a form's execution has an answer of its own, also if there is none. */
function mayExist(path: string, executions: KnownWebhooks["executions"]): boolean {
  const [id = "", suffix] = path.split("/");
  if (suffix === "n8n-execution-status" || !/^[1-9]\d{0,14}$/.test(id)) return true;
  return executions !== null && Number(id) >= executions.first && Number(id) <= executions.last;
}

function wordsFor({ kind, method, path }: WebhookCall, { methods: owned }: KnownCall): { message: string; hint?: string } {
  if (kind === "waiting") return { message: `The execution "${path.split("/")[0]}" does not exist.` };
  if (kind === "test")
    return {
      message: `The requested webhook "${path}" is not registered.`,
      hint: "Click the 'Execute workflow' button on the canvas, then try again. (In test mode, the webhook only works for one call after you click this button)",
    };
  if (owned !== null)
    return { message: `This webhook is not registered for ${method} requests. Did you mean to make a ${either(owned)} request?` };
  return {
    message: `The requested webhook "${method} ${path}" is not registered.`,
    hint: "The workflow must be active for a production URL to run successfully. You can activate the workflow using the toggle in the top-right of the editor. Note that unlike test URL calls, production URL calls aren't shown on the canvas (only in the executions list)",
  };
}

const either = (all: readonly string[]): string => (all.length === 1 ? all[0]! : `${all.slice(0, -1).join(", ")} or ${all.at(-1)}`);

export const n8nSleepingCalls: EngineSleepingCalls = { read, refuse };

/** Longer than any path that an editor shows in one line; a template's first segment is an id of n8n. */
const path = z.string().min(1).max(1000).refine(isPlain);
const id = z.int().min(1);
const said = z.object({
  rows: z.array(z.tuple([z.enum(methods), path, path.max(100).nullable(), z.int().min(1).max(100).nullable()])).max(mostKnownWebhooks),
  executions: z.tuple([id, id]).nullable(),
});

/**
 * What n8n reports of its webhooks, which the tenant can influence. Whatever is not as expected makes all of it unknown, not part of it: a
 * webhook that is left out would be lost.
 */
export const saidWebhooks = z
  .unknown()
  .transform((value): KnownWebhooks | null => {
    const parsed = said.safeParse(value).data;
    if (!parsed || Buffer.byteLength(JSON.stringify(parsed)) > mostKnownBytes) return null;
    const paths = new Map<string, string[]>();
    const templates = new Set<string>();
    for (const [method, webhookPath, webhookId, pathLength] of parsed.rows) {
      paths.set(webhookPath, [...(paths.get(webhookPath) ?? []), method]);
      if (webhookId !== null && pathLength !== null) templates.add(`${webhookId} ${pathLength}`);
    }
    const [first, last] = parsed.executions ?? [];
    const executions = first === undefined || last === undefined ? null : { first, last };
    return { paths: Object.fromEntries(paths), templates: [...templates], executions };
  })
  .optional();
