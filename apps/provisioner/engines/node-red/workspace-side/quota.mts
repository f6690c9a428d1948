/**
 * Enforces the workspace's plan. An execution is a message that starts a flow: sent by a node without incoming wires, such as an inject or
 * an http-in node, and not caused by another message. Reading, exporting and deleting are never refused.
 */
import type { KnownPlan } from "../../workspace-side/known-plan.mts";
import type { Response } from "../../workspace-side/handler.mts";
import { sendRefusedCall } from "../../workspace-side/refused-call.mts";
import type { UsageStore } from "../../workspace-side/usage-store.mts";
import type { FlowNode, Internals, SendEvent, StorageModule } from "./internals.mts";

/** Nodes that pass on or report other nodes' messages. */
const neverBegins: ReadonlySet<string> = new Set(["link in", "link call", "catch", "status", "complete", "http response"]);
/** How often the log says that executions are refused. */
const warnEveryMs = 60_000;

interface QuotaOptions {
  internals: Internals;
  plan: KnownPlan;
  usage: UsageStore;
  panelUrl: string;
  now: () => Date;
}

/** Counts starting messages, and stops them once the plan's executions are used. */
export function guardExecutions({ internals, plan, usage, panelUrl, now }: QuotaOptions): void {
  // Node-RED does not list the wires to a node; a node that once received a message by wire has one.
  const wired = new Set<string>();
  let warnedAtMs = 0;
  internals.hooks.add("preDeliver", (event) => {
    wired.add(event.destination.id);
  });
  internals.hooks.add("onSend", (events) => {
    const first = events[0];
    if (!first || wired.has(first.source.id) || neverBegins.has(first.source.node.type)) return;
    const refusal = executionsRefusal(plan, panelUrl);
    if (!refusal) return usage.countExecution(plan.period(), now());
    first.source.node.status({ fill: "red", shape: "ring", text: "plan limit reached" });
    answerRefused(first, plan.nextPeriod(), now());
    if (now().getTime() - warnedAtMs > warnEveryMs) {
      warnedAtMs = now().getTime();
      internals.log.warn(refusal);
    }
    return false;
  });
}

function executionsRefusal(plan: KnownPlan, panelUrl: string): string | undefined {
  const known = plan.read();
  const limit = known?.limits.executions ?? -1;
  if (!known || limit < 0 || plan.used() < limit) return undefined;
  return `Your ${known.displayName} plan includes ${limit.toLocaleString("en-US")} executions, and all of them are used. Choose a larger plan: ${panelUrl}${known.changePlanPath}`;
}

/** For a caller of an http-in node, who waits for an answer. */
function answerRefused({ msg }: SendEvent, nextPeriod: string | undefined, now: Date): void {
  const answer = (msg["res"] as { _res?: Response & { headersSent: boolean } } | undefined)?._res;
  const { headers } = (msg["req"] ?? {}) as { headers?: Record<string, string | undefined> };
  if (answer && !answer.headersSent) sendRefusedCall(headers, answer, nextPeriod, now);
}

/** Enabled tabs; a tab without nodes does nothing and does not count. */
export function countActiveFlows(flows: readonly FlowNode[]): number {
  const filled = new Set(flows.filter(({ type }) => type !== "tab").map(({ z }) => z));
  return flows.filter((node) => node.type === "tab" && node.disabled !== true && filled.has(node.id)).length;
}

/** Node-RED's own storage, which refuses more active flows than the plan allows: the editor shows the message. */
export function limitFlows(storage: StorageModule, plan: KnownPlan, panelUrl: string): StorageModule {
  let saved: FlowNode[] = [];
  const keep = (flows: unknown): FlowNode[] => (saved = Array.isArray(flows) ? (flows as FlowNode[]) : []);
  return {
    ...storage,
    getFlows: async () => {
      const flows = await storage.getFlows();
      keep(flows);
      return flows;
    },
    saveFlows: async (flows, user) => {
      const known = plan.read();
      const limit = known?.limits.activeWorkflows ?? -1;
      const active = countActiveFlows(flows);
      // Fewer than before is always allowed, so that the owner can get back under the limit.
      if (known && limit >= 0 && active > limit && active > countActiveFlows(saved)) {
        throw new Error(
          `Your ${known.displayName} plan allows ${limit} active ${limit === 1 ? "flow" : "flows"}. Disable one first, or choose a larger plan: ${panelUrl}${known.changePlanPath}`,
        );
      }
      const result = await storage.saveFlows(flows, user);
      keep(flows);
      return result;
    },
  };
}
