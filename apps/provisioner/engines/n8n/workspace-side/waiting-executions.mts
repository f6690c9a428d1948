/**
 * Executions that wait for a time, across starts of n8n. n8n recovers what its last process left unfinished, and takes waiting executions
 * for that in two ways: its log has no line for a wait, and it resumes what is due before the recovery, which then finds it running.
 * "Recovered" executions are shown as crashed, count as failed and start error workflows, and lose their wait or end twice.
 *
 * So the recovery leaves out what waits by the database, and waits resume once it is over. Both must be in place before n8n's own code
 * runs, and hooks are loaded too late for that (boot-guard.mts).
 */
import { createRequire } from "node:module";

interface WaitTracker {
  init(): void;
}

interface MessageEventBus {
  collectUnfinishedExecutionIds(log: Record<string, unknown>): Promise<string[]>;
  executionRepository: { find(options: object): Promise<{ id: string }[]> };
}

type Service = Partial<WaitTracker & MessageEventBus>;

/** n8n's container of services: the first `get` of a class makes its only instance. */
interface Container {
  get(type: { name: string }): Service;
}

/** Ends the hold; undefined if nothing is held. */
let resume: (() => void) | undefined;

/** Throws if this version of n8n has other internals. */
export function holdWaitingExecutions(): void {
  const { Container: container } = createRequire(process.argv[1]!)("@n8n/di") as { Container: Container };
  changeServices(
    container,
    new Map([
      ["WaitTracker", holdTracker],
      ["MessageEventBus", leaveWaitingOut],
    ]),
  );
}

/** For when n8n is ready: its recovery is over by then. */
export function resumeWaitingExecutions(): void {
  resume?.();
  resume = undefined;
}

/** Calls each with the service of its name as soon as n8n first gets it. */
export function changeServices(container: Container, changes: Map<string, (service: Service) => void>): void {
  const get = container.get;
  container.get = (type) => {
    const service = get.call(container, type);
    const change = changes.get(type.name);
    changes.delete(type.name);
    if (changes.size === 0) container.get = get;
    change?.(service);
    return service;
  };
}

function holdTracker(tracker: Service): void {
  const { init } = tracker;
  if (init === undefined) return void console.warn("n8n tracks waiting executions differently in this version");
  tracker.init = () => {
    resume = () => init.call(tracker);
  };
}

function leaveWaitingOut(bus: Service): void {
  const { collectUnfinishedExecutionIds: collect, executionRepository } = bus;
  if (!collect || !executionRepository) return void console.warn("n8n recovers executions differently in this version");
  bus.collectUnfinishedExecutionIds = async (log) => {
    const unfinished = await collect.call(bus, log);
    const waiting = new Set((await executionRepository.find({ select: ["id"], where: { status: "waiting" } })).map(({ id }) => id));
    return unfinished.filter((id) => !waiting.has(id));
  };
}
