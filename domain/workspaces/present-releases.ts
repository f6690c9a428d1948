/**
 * Which releases workspaces can be started from, where they run from images: workers prove it and record it here, so that nothing is offered
 * that cannot start. Releases that are installed on the workspaces' host are all offered: what runs keeps running while one is installed.
 */
import { and, eq, gt } from "drizzle-orm";
import { engineInstalls } from "#database/tables.ts";
import { after, hourMs } from "#platform/clock.ts";
import type { Connection } from "#platform/database.ts";

/** In place of a host: all hosts use the same images. */
const imagesHost = "images";
/** Proofs are repeated every hour; older ones are of workers that have gone, or of another driver. */
const knownForMs = 3 * hourMs;

interface Proof {
  engine: string;
  version: string;
  /** Why it is missing; null if it is present. */
  reason: string | null;
}

/** Records the result of a proof. */
export async function notePresence(db: Connection, { engine, version, reason }: Proof, now: Date): Promise<void> {
  const values = {
    state: reason === null ? ("installed" as const) : ("failed" as const),
    percent: reason === null ? 100 : 0,
    reason,
    updatedAt: now,
  };
  await db
    .insert(engineInstalls)
    .values({ host: imagesHost, engine, version, ...values })
    .onConflictDoUpdate({ target: [engineInstalls.host, engineInstalls.engine, engineInstalls.version], set: values });
}

/** What is known of each release: null if it is present, otherwise the reason why it is missing. Empty if nothing is, or need be, known. */
export async function readPresence(db: Connection, engine: string, now: Date): Promise<Map<string, string | null>> {
  const rows = await db
    .select({ version: engineInstalls.version, reason: engineInstalls.reason, state: engineInstalls.state })
    .from(engineInstalls)
    .where(
      and(eq(engineInstalls.host, imagesHost), eq(engineInstalls.engine, engine), gt(engineInstalls.updatedAt, after(now, -knownForMs))),
    );
  return new Map(rows.map(({ version, reason, state }) => [version, state === "installed" ? null : (reason ?? "")]));
}

/**
 * The releases among these that can be started: those that are known to be present. As long as that is known of none, those that are not known
 * to be missing, because a worker asks for each before it touches a workspace.
 */
export async function presentReleases<Release extends { version: string }>(
  db: Connection,
  { engine, releases }: { engine: string; releases: readonly Release[] },
  now: Date,
): Promise<readonly Release[]> {
  const known = await readPresence(db, engine, now);
  const present = releases.filter(({ version }) => known.get(version) === null);
  return present.length > 0 ? present : releases.filter(({ version }) => !known.has(version));
}

interface OfferedNow<Release> {
  /** What a new workspace gets unless its owner chooses another one. */
  version: string;
  releases: readonly Release[];
  /** With the releases that are missing at the moment. */
  known: readonly Release[];
}

/**
 * What a workspace may have now. Of those that can be started, a new one gets the usual version, or else the newest that is not `avoided`,
 * stable ones first; owners may choose an avoided one all the same. If all are avoided, that counts for nothing: a launch never waits for a
 * version.
 */
export async function offeredNow<Release extends { version: string; channel?: string }>(
  db: Connection,
  defaults: { engine: string; version: string; releases: readonly Release[] },
  now: Date,
  avoided: ReadonlySet<string> = new Set(),
): Promise<OfferedNow<Release>> {
  const releases = await presentReleases(db, defaults, now);
  const inOrder = [
    ...releases.filter((release) => release.version === defaults.version),
    ...releases.filter(({ channel }) => channel === "stable"),
    ...releases,
  ];
  const first = inOrder.find(({ version }) => !avoided.has(version)) ?? inOrder[0];
  return { version: first?.version ?? defaults.version, releases, known: defaults.releases };
}
