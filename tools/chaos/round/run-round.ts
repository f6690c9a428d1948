/** One round: a request, a fault during it, and an automatic recovery. */
import { setTimeout as sleep } from "node:timers/promises";
import { chooseWish, type Wish } from "./actions.ts";
import { checkNewBackups, checkWorkspace } from "../checks/check-contents.ts";
import { checkHost } from "../checks/check-host.ts";
import { checkRows } from "../checks/check-rows.ts";
import { findMissing } from "./convergence.ts";
import { checkSleep } from "../checks/check-sleep.ts";
import { isWell } from "../harm/harm.ts";
import { killVictim } from "../harm/kill-victim.ts";
import { persist, type Lane } from "../lane.ts";
import { putToSleep } from "./let-rest.ts";
import { sleepActions, type Action, type RoundPlan, type Sleep, type Victim } from "./plan-round.ts";
import { sendLetters } from "./send-letters.ts";
import { countAccepted, type Tenant } from "../tenant.ts";

export interface RoundResult {
  plan: RoundPlan;
  /** The actual action: another one if the planned action was not possible. */
  action: Action;
  /** Victims that existed and were killed. */
  killed: Victim[];
  /** From the last fault, or the repeated call after it, until all was as requested; null: never. */
  convergedMs: number | null;
  violations: string[];
}

export interface RoundLimits {
  /** Converged within 30 s of the last fault: the budget in docs/design.md. */
  convergeMs: number;
}

/** The longest time in which a recovering program may not answer. */
const patienceMs = 180_000;
/** A call that died with its program is repeated this often. */
const mostAsks = 5;

export async function runRound(lane: Lane, plan: RoundPlan, { convergeMs }: RoundLimits): Promise<RoundResult> {
  const wish = await persist(() => chooseWish(lane, plan), patienceMs);
  const { tenant } = wish;
  if (tenant.exists) await mark(lane, tenant, `marker-${plan.number}`);
  const held = tenant.marker;
  const asleep = sleepBefore(wish.action, plan);
  if (lane.sleeps && asleep) await putToSleep(lane, patienceMs, asleep);
  const letters = sendAll(lane, wish, plan.number);
  const began = fire(wish);
  const { killed, unnoticed } = await disturb(lane, plan, tenant);
  const faultAt = performance.now();
  const asked = await settle(lane, wish, await began);
  const convergedMs = await converge(lane, wish, Math.max(faultAt, asked.at), convergeMs);
  const violations = [...unnoticed, ...asked.violations, ...(await letters)];
  if (killed.some((victim) => victim === "full disk" || victim === "read-only disk")) doubt(tenant, `round-${plan.number}-`);
  if (convergedMs === null) violations.push(...(await tellMissing(lane, wish, convergeMs)));
  violations.push(...(await checkContents(lane)));
  // If one is killed while frozen, it ends when a check has woken it, and is replaced.
  if (lane.sleeps && convergedMs !== null && (await converge(lane, wish, performance.now(), convergeMs)) === null)
    violations.push(...(await tellMissing(lane, wish, convergeMs)));
  violations.push(...(await checkRest(lane, tenant, held)));
  await forgive(lane);
  return { plan, action: wish.action, killed, convergedMs, violations };
}

function sleepBefore(action: Action, { fromSleep }: RoundPlan): false | Sleep {
  if (action === "sleep") return false;
  return action === "wake storm" || action === "frozen" ? fromSleep || "frozen" : fromSleep;
}

/** A stream of webhooks to one workspace, or a storm of them to all that sleep. */
async function sendAll(lane: Lane, { action, tenant }: Wish, number: number): Promise<string[]> {
  const prefix = `round-${number}`;
  if (action === "webhooks") return sendLetters(lane, tenant, { prefix, count: 60, everyMs: 50 });
  if (action !== "wake storm") return [];
  const asleep = lane.tenants.filter(({ exists }) => exists);
  return (await Promise.all(asleep.map((each) => sendLetters(lane, each, { prefix, count: 25, everyMs: 40 })))).flat();
}

/** Node-RED answers before it writes: while its disk accepts no writes, an answer does not show what arrived. */
function doubt({ letters }: Tenant, prefix: string): void {
  for (const [id, sent] of letters) if (id.startsWith(prefix) && sent.fate === "answered") sent.fate = "unknown";
}

async function mark(lane: Lane, tenant: Tenant, marker: string): Promise<void> {
  await persist(() => lane.hands.place(lane.slipway, tenant.customer, marker), patienceMs).catch((error: unknown) => {
    throw new Error(
      `${String(error)}; the program, started again ${lane.supervisor.restarts()} times, said last: ${lane.slipway.output().slice(-2_500)}`,
    );
  });
  tenant.marker = marker;
}

type Outcome = "accepted" | "unknown" | { refused: string };

/** Makes the call; without an answer, or with a server error, it is unknown whether it was accepted. */
async function fire({ call }: Wish): Promise<Outcome> {
  try {
    const { status, text } = await call();
    if (status < 300) return "accepted";
    return status >= 500 ? "unknown" : { refused: `${status} ${text.slice(0, 200)}` };
  } catch {
    return "unknown";
  }
}

async function disturb(lane: Lane, { faults }: RoundPlan, tenant: Tenant): Promise<{ killed: Victim[]; unnoticed: string[] }> {
  const killed: Victim[] = [];
  const unnoticed: string[] = [];
  for (const { victim, afterMs } of faults) {
    await sleep(afterMs);
    const met = await killVictim(lane, victim, tenant);
    if (met !== false) killed.push(victim);
    if (typeof met === "string") unnoticed.push(met);
  }
  return { killed, unnoticed };
}

/** Finds out whether the call was accepted, and repeats it, as a user would, if not. */
async function settle(lane: Lane, wish: Wish, first: Outcome): Promise<{ at: number; violations: string[] }> {
  let outcome = first;
  let at = 0;
  for (let asks = 1; ; asks += 1) {
    if (outcome === "unknown" && (await persist(() => wasTaken(lane, wish), patienceMs))) outcome = "accepted";
    if (outcome === "accepted") break;
    if (outcome !== "unknown")
      return { at, violations: [`${wish.tenant.customer.accountName}: ${wish.action} was refused: ${outcome.refused}`] };
    if (asks > mostAsks) return { at, violations: [`${wish.tenant.customer.accountName}: ${wish.action} could not be asked for`] };
    await persist(async () => ensureReady(lane), patienceMs);
    at = performance.now();
    outcome = await fire(wish);
  }
  if (wish.audited) countAccepted(wish.tenant, wish.audited);
  wish.accepted();
  return { at, violations: [] };
}

async function ensureReady({ slipway }: Lane): Promise<void> {
  const answer = await slipway.call("GET", "/readyz");
  if (!isWell(answer)) throw new Error(`not ready: ${answer.status} ${answer.text}`);
}

/** By the audit row or, if a call leaves none, by its effect. */
async function wasTaken(lane: Lane, { audited, action, tenant }: Wish): Promise<boolean> {
  const { accountName } = tenant.customer;
  await ensureReady(lane);
  if (action === "webhooks") return true;
  // It had no effect: it is repeated.
  if (sleepActions.some((each) => each === action)) return action !== "sleep";
  if (!audited) return (await lane.rows.ask("select 1 from accounts where name = $1 and set_up_at is not null", [accountName])).length > 0;
  const [row] = await lane.rows.ask<{ count: number }>(
    "select count(*)::int as count from audit_log l join accounts a on a.id = l.account_id where a.name = $1 and l.action = $2",
    [accountName, audited],
  );
  return (row?.count ?? 0) > (tenant.accepted.get(audited) ?? 0);
}

async function converge(lane: Lane, wish: Wish, since: number, limitMs: number): Promise<number | null> {
  for (;;) {
    const missing = await findMissing(lane, wish).catch((error: unknown) => [String(error)]);
    const tookMs = performance.now() - since;
    if (missing.length === 0) return tookMs;
    if (tookMs > limitMs) return null;
    await sleep(100);
  }
}

async function tellMissing(lane: Lane, wish: Wish, limitMs: number): Promise<string[]> {
  const missing = await findMissing(lane, wish).catch((error: unknown) => [String(error)]);
  return [
    ...missing.map((what) => `after ${limitMs / 1000} s: ${what}`),
    `the program, started again ${lane.supervisor.restarts()} times, said last: ${lane.slipway.output().slice(-1_500)}`,
  ];
}

/** By requests, which wake workspaces that sleep. */
const checkContents = (lane: Lane): Promise<string[]> => findAll(lane.tenants.map((each) => checkWorkspace(lane, each)));

const checkRest = (lane: Lane, tenant: Tenant, held: string | null): Promise<string[]> =>
  findAll([
    checkHost(lane),
    ...lane.tenants.map((each) => checkRows(lane, each)),
    ...lane.tenants.map((each) => checkSleep(lane, each)),
    checkNewBackups(lane, tenant, held),
  ]);

/** What was found by all checks that are possible, even if the round did not converge. */
async function findAll(checks: Promise<string[]>[]): Promise<string[]> {
  const found = await Promise.all(checks.map((check) => check.catch((error: unknown) => [`could not be checked: ${String(error)}`])));
  return found.flat();
}

/** In reality ten minutes without a fault would pass between two; without that, the pauses after each crash would keep growing. */
async function forgive({ rows }: Lane): Promise<void> {
  await persist(() => rows.ask("update workspaces set failures = 0 where observed_state = 'online'"), patienceMs);
}
