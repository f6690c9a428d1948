/**
 * Tells the control plane whether this Node-RED may sleep. Its nodes do not say what they wait for, so the running nodes decide: it
 * may if each is of a kind that only acts on what reaches it, or shows that it waits for nothing.
 */
import type { Handler } from "../../workspace-side/handler.mts";
import type { FlowNode, Internals, RunningNode } from "./internals.mts";

/**
 * Nodes that only act on a message, and remember nothing of it that a stop would lose. Not among them: what connects to elsewhere or has a
 * timer (MQTT, TCP, `delay`, `trigger`, `watch`, `exec`), and what collects messages (`join`, `batch`, `sort`, `rbe`). A WebSocket to a
 * listener is an open connection, which keeps its workspace awake; the client of another server has its own node.
 */
const passive: ReadonlySet<string> = new Set(
  [
    "tab, group, comment, junction, global-config, subflow, link in, link out, link call, debug, catch, status, complete",
    "switch, change, range, template, split, csv, html, json, xml, yaml, file, file in",
    "http in, http response, http request, http proxy, tls-config, websocket in, websocket out, websocket-listener",
  ].flatMap((types) => types.split(", ")),
);

/** These wait for an answer after they have received a message: an HTTP request for two minutes, by Node-RED's own limit. */
const answered: ReadonlySet<string> = new Set(["http request", "link call"]);
const answerMs = 180_000;

interface SleepOptions {
  internals: Pick<Internals, "flows" | "hooks">;
  hasBegun: () => boolean;
  /** By a clock that is never set. */
  nowMs?: () => number;
}

/** GET /_slipway/sleep: reading changes nothing. */
export function createSleepHandler({ internals: { flows, hooks }, hasBegun, nowMs = () => performance.now() }: SleepOptions): Handler {
  let sentAtMs = -Infinity;
  // With one parameter, as Node-RED waits for those with another number.
  hooks.add("onSend", (_events) => {
    sentAtMs = nowMs();
  });
  const mayBeAnswered = (): boolean => nowMs() - sentAtMs < answerMs;
  const isAtRest = (node: FlowNode, isInSubflow: boolean): boolean => {
    const running = flows.get(node.id);
    // The nodes of a subflow run under other ids, once for each use of it.
    if (running === null && !isInSubflow) return true;
    if (node.type === "inject") return isButton(node);
    if (node.type === "function") return running !== null && waitsForNothing(running);
    if (answered.has(node.type) && mayBeAnswered()) return false;
    return passive.has(node.type) || node.type.startsWith("subflow:");
  };
  const areAtRest = (): boolean => {
    const all: FlowNode[] = [];
    flows.eachNode((node) => void all.push(node));
    const subflows = new Set(all.filter(({ type }) => type === "subflow").map(({ id }) => id));
    return all.every((node) => isAtRest(node, subflows.has(node.z ?? "")));
  };
  return (_request, response) => response.json({ sleepable: hasBegun() && areAtRest(), due: null });
}

/** Neither repeated nor sent at a start, which each wake from a stop would be. */
const isButton = ({ once, repeat, crontab }: FlowNode): boolean => once !== true && !repeat && !crontab;

/** A function has no other way to act later, because it cannot load modules here. */
const waitsForNothing = ({ outstandingTimers, outstandingIntervals }: RunningNode): boolean =>
  outstandingTimers?.length === 0 && outstandingIntervals?.length === 0;
