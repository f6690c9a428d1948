/**
 * Keeps a worker in charge of its host: it joins before anything of the host is started or adopted, sends a heartbeat every few seconds,
 * and ends processes here of workspaces that another host has now.
 */
import { beatHost, listElsewhere, type Heartbeat } from "#domain/workspaces/hosts/host-store.ts";
import { joinHost } from "#domain/workspaces/hosts/join-host.ts";
import { hourMs, secondMs } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import { isId } from "#platform/ids.ts";
import type { Log } from "#platform/log.ts";
import type { Rounds } from "#platform/loops/rounds.ts";
import { createWakeLoop } from "#platform/loops/wake-loop.ts";
import type { Driver } from "../drivers/driver.ts";
import { sweepLeft } from "./sweep-left.ts";

interface HostOptions {
  db: Database;
  driver: Pick<Driver, "listRunning" | "end" | "listStored" | "listNumbers" | "remove">;
  /** `HOST_NAME`. */
  name: string;
  /** `HOST_ADDRESS`. */
  address: string | null;
  /** Memory that is free or can be freed without paging out, in MB; NaN if the system does not report it. */
  availableMb(): number;
  /** An operator has declared the host dead: this process must end. */
  onLost(): void;
  log: Log;
  rounds?: Rounds | undefined;
}

export interface KeptHost {
  readonly name: string;
  /** Whether there may be a workspace without a host to take. */
  mayPlace(): boolean;
  isDraining(): boolean;
  stop(): Promise<void>;
}

const everyMs = 5 * secondMs;
/** What was deleted elsewhere is deleted here within the hour. */
const sweepEveryMs = hourMs;

/** Resolves once processes of other hosts' workspaces have been ended here. */
export async function keepHost(options: HostOptions, beatMs = everyMs): Promise<KeptHost> {
  const { db, name, address, log } = options;
  const state = () => ({ name, address, freeMb: Math.max(0, Math.floor(options.availableMb())) || 0 });
  const stored = (await options.driver.listStored?.())?.filter(isId);
  const running = [...(await options.driver.listRunning())];
  const numbers = (await options.driver.listNumbers?.()) ?? new Map<string, number>();
  const { wasLost, kept } = await joinHost(db, { ...state(), stored, running, numbers });
  if (kept > 0)
    log.error(
      { host: name, workspaces: kept },
      "the database was restored and does not explain workspaces of this host: they are kept as they are until an operator decides (npm run ops -- found)",
    );
  if (wasLost)
    log.warn(
      { host: name },
      "this host had been declared dead: workspaces that were restored elsewhere are ended here, and their files kept",
    );
  await endMoved(options);
  let beat: Heartbeat = { hosts: 1, isDraining: false, hasUnplaced: false, silent: [] };
  const say = (next: Heartbeat): void => {
    for (const other of next.silent)
      if (!beat.silent.includes(other))
        log.error({ host: other }, "a host has sent no recent heartbeat: its workspaces may be unreachable");
    for (const other of beat.silent)
      if (!next.silent.includes(other)) log.info({ host: other }, "a host sends heartbeats again, or was removed");
    if (next.hosts > 1 && beat.hosts === 1 && address === null)
      log.warn({ host: name }, "there are other hosts whose gateways cannot reach this one: set HOST_ADDRESS");
  };
  const loop = createWakeLoop({
    async work() {
      const next = await beatHost(db, state());
      if (next === null) return options.onLost();
      say(next);
      beat = next;
    },
    followed: { by: options.rounds, name: "host heartbeat" },
    onError: (err) => log.warn({ err }, "this host could not send its heartbeat"),
  });
  // In parallel with the heartbeat: it looks at every workspace of the host, and a slow disk must not make a living host look dead.
  const ending = createWakeLoop({
    async work() {
      if (beat.hosts > 1) await endMoved(options);
    },
    followed: { by: options.rounds, name: "moved workspaces" },
    onError: (err) => log.warn({ err }, "this host could not look for workspaces that another host has"),
  });
  const sweeping = createWakeLoop({
    work: (isStopping) => sweepLeft(options, isStopping),
    followed: { by: options.rounds, name: "files of deleted workspaces" },
    onError: (err) => log.warn({ err }, "this host could not look for files of workspaces that were deleted elsewhere"),
  });
  loop.start(beatMs);
  ending.start(beatMs);
  sweeping.start(sweepEveryMs);
  return {
    name,
    mayPlace: () => beat.hosts > 1 || beat.hasUnplaced,
    isDraining: () => beat.isDraining,
    async stop() {
      await Promise.all([loop.stop(), ending.stop(), sweeping.stop()]);
    },
  };
}

/**
 * Ends, without a graceful stop, the workspaces that run on this host but belong to another or to none yet. Their files stay: they may be
 * newer than the backup that was restored. If one cannot be ended, that is tried again with the next look.
 */
async function endMoved({ db, driver, name, log }: Pick<HostOptions, "db" | "driver" | "name" | "log">): Promise<void> {
  const { end } = driver;
  if (!end) return;
  // Listed first, so that workspaces this host gets from then on are not included.
  const running = [...(await driver.listRunning())];
  for (const workspaceId of await listElsewhere(db, running, name)) {
    await end(workspaceId).then(
      () => log.warn({ workspaceId, host: name }, "a workspace that another host has was still running here, and was ended"),
      (err: unknown) => log.error({ err, workspaceId, host: name }, "a workspace that another host has is still running here"),
    );
  }
}
