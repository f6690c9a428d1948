/**
 * Waits of a pass outside its slot: everything that depends on a workspace, which may never answer. Each wait is limited, whatever the
 * engine or driver does; only the control plane's own work uses the slot.
 */
import { minuteMs, secondMs } from "#platform/clock.ts";
import type { Slot } from "#platform/loops/slots.ts";
import { TookTooLong, within } from "#platform/loops/within.ts";
import { inSpan } from "#platform/tracing/current-work.ts";
import type { Driver } from "../drivers/driver.ts";
import type { Engine } from "../engines/engine.ts";
import type { Boot, BootOf } from "./boots.ts";
import type { Reconciler } from "./step.ts";

/** More than the engines' own limit of 15 s for a call. */
const askLimitMs = 20 * secondMs;
/** More than any engine gives its tool to stop (`stopTimeoutMs`) before it is killed. */
const stopLimitMs = 2 * minuteMs;
/** Disk, network and process: a second on a quiet host. */
const startLimitMs = minuteMs;
/** A freeze takes at most 5 s, and paging out a running workspace as long; it may queue behind others. */
const freezeLimitMs = 10 * secondMs;
/** It only lets the workspace run. */
const thawLimitMs = 30 * secondMs;
/** Takes milliseconds, but reads from the workspace's disk. */
const observeLimitMs = 10 * secondMs;
/** Millions of files take minutes. */
const removeLimitMs = 10 * minuteMs;
/** For a restore, and for a step's backup; their parts have separate limits. */
const copyLimitMs = 60 * minuteMs;

/** What a workspace in hand occupies: a slot during a pass, and a place among the starts. */
export interface Place {
  slot: Slot;
  boot: Boot;
}

type Outside = Pick<Reconciler, "engine" | "driver" | "backups" | "probeThroughGateway">;

/**
 * The reconciler's access to driver and engine during one pass. A start waits for its turn, which ends when the driver hears that the
 * workspace answers. `beforeStart` throws if the workspace should no longer start: on a busy host its turn may come minutes later.
 * `startOf` says what a start is.
 */
export function waitOutside(
  { engine, driver, backups, probeThroughGateway }: Outside,
  { slot, boot }: Place,
  beforeStart: () => Promise<void>,
  startOf: () => BootOf,
): Outside {
  const wait: Wait = (span, mostMs, what, call) => inSpan(span, {}, () => slot.outside(() => within(mostMs, what, call())));
  const turn: Boot = { begin: (what) => inSpan("turn", {}, () => slot.outside(() => boot.begin(what)), 1), end: () => boot.end() };
  return {
    engine: askOutside(engine, (what, call) => wait(`${engine.name}: ${what}`, askLimitMs, `${engine.displayName}: ${what}`, call)),
    driver: driveOutside(driver, wait, turn, beforeStart, startOf),
    backups: {
      make: (...args) => wait("backup", copyLimitMs, "the backup", () => backups.make(...args)),
      restore: (...args) => wait("restore", copyLimitMs, "the restore", () => backups.restore(...args)),
    },
    probeThroughGateway: (...args) => wait("gateway: probe", askLimitMs, "the gateway", () => probeThroughGateway(...args)),
  };
}

/** Waits outside the slot for `call`, as a part of the pass's trace named `span`. Rejects after `mostMs`, naming what took too long. */
type Wait = <T>(span: string, mostMs: number, what: string, call: () => Promise<T>) => Promise<T>;

function askOutside(engine: Engine, ask: <T>(what: string, call: () => Promise<T>) => Promise<T>): Engine {
  const { blanks, countRunning, members, setPlan, setVariables, readUsage, sleep, updateOwner } = engine;
  return {
    ...engine,
    health: (address) =>
      ask("health", () => engine.health(address)).catch((error: unknown) => {
        if (!(error instanceof TookTooLong)) throw error;
        return { ready: false, detail: error.message };
      }),
    setUpOwner: (...args) => ask("the owner", () => engine.setUpOwner(...args)),
    setProfile: (...args) => ask("the profile", () => engine.setProfile(...args)),
    ...(updateOwner && { updateOwner: (...args) => ask("the owner's address", () => updateOwner(...args)) }),
    ...(setPlan && { setPlan: (...args) => ask("the plan", () => setPlan(...args)) }),
    ...(setVariables && { setVariables: (...args) => ask("its owner's variables", () => setVariables(...args)) }),
    ...(countRunning && { countRunning: (...args) => ask("running executions", () => countRunning(...args)) }),
    ...(readUsage && { readUsage: (...args) => ask("usage", () => readUsage(...args)) }),
    ...(sleep && { sleep: { ...sleep, ask: (...args) => ask("sleep", () => sleep.ask(...args)) } }),
    ...(blanks && { blanks: { ...blanks, claim: (...args) => ask("its owner's settings", () => blanks.claim(...args)) } }),
    ...(members && {
      members: {
        invite: (...args) => ask("an invitation", () => members.invite(...args)),
        revoke: (...args) => ask("an invitation", () => members.revoke(...args)),
        list: (...args) => ask("members", () => members.list(...args)),
      },
    }),
  };
}

function driveOutside(driver: Driver, wait: Wait, boot: Boot, beforeStart: () => Promise<void>, startOf: () => BootOf): Driver {
  const { reassign, hasRoomToReplace, freeze, thaw, pageOut } = driver;
  return {
    ...driver,
    ...(hasRoomToReplace && {
      hasRoomToReplace: (...args) =>
        wait("driver: room", observeLimitMs, "a look at the workspace's room", () => hasRoomToReplace(...args)),
    }),
    async ensure(spec) {
      const stop = () => wait("driver: stop", stopLimitMs, "the stop", () => driver.ensure({ ...spec, run: false }));
      if (!spec.run) return stop();
      const seen = await wait("driver: observe", observeLimitMs, "a look at the workspace", () => driver.observe(spec.workspaceId));
      // A process may take long to stop; the start that follows needs a slot.
      if (seen.state === "running" && seen.generation !== spec.generation) await stop();
      await boot.begin(startOf());
      await beforeStart();
      const start = () => driver.ensure(spec);
      if (driver.startsElsewhere) return wait("driver: start", startLimitMs, "the start", start);
      return inSpan("driver: start", {}, () => within(startLimitMs, "the start", start()));
    },
    ...(freeze && { freeze: (...args) => wait("driver: freeze", freezeLimitMs, "the freeze", () => freeze(...args)) }),
    ...(pageOut && { pageOut: (workspaceId) => wait("driver: page-out", freezeLimitMs, "the page-out", () => pageOut(workspaceId)) }),
    ...(thaw && {
      async thaw(workspaceId) {
        await boot.begin("thaw");
        return wait("driver: thaw", thawLimitMs, "the thaw", () => thaw(workspaceId));
      },
    }),
    ...(reassign && {
      reassign: (spec) => wait("driver: reassign", observeLimitMs, "the record of a claimed blank", () => reassign(spec)),
    }),
    observe: (workspaceId) => wait("driver: observe", observeLimitMs, "a look at the workspace", () => driver.observe(workspaceId)),
    endStart(workspaceId) {
      boot.end();
      driver.endStart?.(workspaceId);
    },
    remove: (workspaceId) => wait("driver: remove", removeLimitMs, "the removal", () => driver.remove(workspaceId)),
    logs: (workspaceId, maxBytes) => wait("driver: logs", askLimitMs, "the output", () => driver.logs(workspaceId, maxBytes)),
  };
}
