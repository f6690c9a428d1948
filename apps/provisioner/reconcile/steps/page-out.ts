/**
 * The step that pages out memory that an idle workspace does not use while it stays awake: one that waits for a schedule or a connection
 * never sleeps, and needs little of its memory for that.
 */
import { minuteMs } from "#platform/clock.ts";
import { done, type Scope, type Step } from "../step.ts";

/** Rarer than the pauses of a person at work. The first request afterwards is up to half a second slower, until its memory is back. */
const idleMs = 10 * minuteMs;
/** A process needs a tenth of a second of processor time for each 60 MB that are compressed. Less is not worth it. */
const leastMb = 100;

/** Last in a pass. Never fails it, and remembers nothing: the kernel reports how much is paged out. */
export const pageOutIdle: Step = {
  name: "page-out",
  async run(scope) {
    const { workspace, driver, pagesOut, log } = scope;
    if (!pagesOut || !driver.pageOut || !driver.usage || !isHealthy(scope)) return done;
    const restsInMs = idleMs - quietMs(scope);
    // Look again at exactly that time, not up to twice as late.
    if (restsInMs > 0) return { kind: "done", againMs: restsInMs };
    try {
      const usage = (await driver.usage([workspace.id])).get(workspace.id);
      // Once it is done, most pages stay out. What the workspace uses again and again remains in memory.
      if (usage && usage.memoryMb >= leastMb && usage.memoryMb > (usage.swappedMb ?? 0)) await driver.pageOut(workspace.id);
    } catch (error) {
      log.warn({ err: error, workspaceId: workspace.id }, "the memory of an idle workspace could not be paged out");
    }
    return done;
  },
};

const isHealthy = ({ workspace, observed, target }: Scope): boolean =>
  observed.observedState === "online" &&
  observed.unhealthySince === null &&
  observed.observedGeneration === workspace.generation &&
  target.generation === workspace.generation;

/** Since it was last used or started, or an execution was counted. */
function quietMs({ workspace, observed, machineClock, clock }: Scope): number {
  const usedMs = machineClock.now().getTime() - Math.max(workspace.usedAt?.getTime() ?? 0, observed.startedAt?.getTime() ?? 0);
  const activeMs = clock.now().getTime() - (workspace.activeAt?.getTime() ?? 0);
  return Math.min(usedMs, activeMs);
}
