/** Notices a process that ended without being stopped, and says why. Memory is the only cause that an owner can do something about. */
import { say, type Sentence } from "#contract/sentences/say.ts";
import type { JournalEvent } from "#domain/workspaces/journal-events.ts";
import { readJournal } from "#domain/workspaces/workspace-store.ts";
import { minuteMs } from "#platform/clock.ts";
import type { RunObservation } from "../../drivers/driver.ts";
import { lastOutput } from "../last-output.ts";
import { done, wait, type Scope, type Step } from "../step.ts";

/** From then on its pods are deleted again and again, such as by an operator's clean-up job: an immediate start would not help. */
const mostEvictions = { count: 3, withinMs: 10 * minuteMs };
const evictedPauseMs = minuteMs;

const gone = { address: null, gatewayOpen: false, startedAt: null } as const;

/** A process that exited is distinguished from one that was never started: it had an address. */
export const noticeDeath: Step = {
  name: "notice-death",
  async run(scope) {
    const { observed, seen, observe } = scope;
    if (seen.state === "running" || !observed.address) return done;
    const logs = await lastOutput(scope);
    const { event, message, repeated, how } = describeDeath(seen.exit, logs);
    if (event === "evicted") {
      await observe({ ...gone, reasonCode: event, observedState: "starting" }, { event, message, detail: how });
      return (await isEvictedAgainAndAgain(scope)) ? wait(evictedPauseMs) : done;
    }
    const isFirst = observed.failures === 0;
    await observe(
      { ...gone, reasonCode: event, ...(isFirst && { failures: 1, observedState: "starting" }) },
      { event, message, detail: `${how}\n${logs}` },
    );
    // After the first death in a row it is restarted immediately: webhooks wait at the gateway until then.
    if (isFirst) return done;
    return { kind: "failed", ...repeated };
  },
};

async function isEvictedAgainAndAgain({ db, workspace, clock }: Scope): Promise<boolean> {
  const { count, withinMs } = mostEvictions;
  const lines = await readJournal(db, workspace.id, { most: count, events: ["evicted"] });
  const earliest = lines.at(-1)?.at.getTime() ?? 0;
  return lines.length === count && Math.abs(clock.now().getTime() - earliest) < withinMs;
}

interface Death {
  event: "died" | "out-of-memory" | "evicted";
  /** For the owner. */
  message: Sentence;
  /** Used if it is not the first death in a row. */
  repeated: { event: JournalEvent; reason: Sentence };
  /** For the journal. */
  how: string;
}

/** V8's last output before it aborts. */
const heapMessage = /JavaScript heap out of memory|Reached heap limit|Allocation failed - process out of memory/;
/** 134 is 128 + SIGABRT, as a shell between us and the process reports it; V8 ends with SIGTRAP on some systems. */
const abortCodes: readonly (number | null)[] = [134, 133];
const abortSignals: readonly (string | null)[] = ["SIGABRT", "SIGTRAP"];

/** Judges by the driver's observation and the newest output. A kill from outside counts as memory only if the system says so. */
export function describeDeath(exit: RunObservation["exit"], logs: string): Death {
  const how = exit?.signal ? `signal ${exit.signal}` : typeof exit?.code === "number" ? `exit code ${exit.code}` : "unknown cause";
  const keepsStopping = { event: "start-delayed", reason: say("keepsStopping") } as const;
  // A stop that we requested leaves no address. This one has another cause, such as a drain of its node.
  if (exit?.requested && !exit.outOfMemory) return { event: "evicted", message: say("evicted"), repeated: keepsStopping, how };
  if (!isOutOfMemory(exit, logs)) {
    return {
      event: "died",
      message: say("died"),
      repeated: keepsStopping,
      how,
    };
  }
  return {
    event: "out-of-memory",
    message: say("outOfMemory"),
    repeated: {
      event: "out-of-memory",
      reason: say("keepsRunningOutOfMemory"),
    },
    how: `out of memory, ${how}`,
  };
}

function isOutOfMemory(exit: RunObservation["exit"], logs: string): boolean {
  if (exit?.outOfMemory) return true;
  const said = heapMessage.test(logs);
  // An adopted process does not report how it ended, and a container on a busy node not always: only the last output shows it.
  if (!exit || (exit.code === null && exit.signal === null)) return said;
  return abortCodes.includes(exit.code) || (abortSignals.includes(exit.signal) && said);
}
