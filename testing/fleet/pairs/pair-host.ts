/** A simulated fleet and the real API over one database, on which pairs of acts are played one after the other. */
import { createTestFleet, type TestFleet } from "../test-fleet.ts";
import { createStoryScene, contentFile, versions, type StoryScene } from "../story-scene.ts";
import { createTestApi, type TestApi } from "../../test-api.ts";
import type { EngineExportFile, EngineExports } from "#apps/provisioner/engines/port/engine-copies.ts";
import { accounts, sessions, users, workspaces } from "#database/tables.ts";
import { hashToken, newToken } from "#domain/accounts/token.ts";
import { prepareCurrentUser } from "#domain/journeys/signed-in/current-user-query.ts";
import { after, dayMs, systemClock } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { eq } from "drizzle-orm";

export interface PairHost extends AsyncDisposable {
  fleet: TestFleet;
  api: TestApi;
  /** A confirmed owner who has just launched a workspace, which no worker has seen. */
  launch(): Promise<PairScene>;
}

export interface PairScene extends StoryScene {
  token: string;
  email: string;
  /** Writes this into two files of the running workspace. A copy in which they differ mixes two states. */
  work(content: string): void;
  /** What both files contain; throws if they differ. Undefined: they do not exist. */
  content(): string | undefined;
}

export const twinFile = "things/twin.json";

/** The content of two files that are only ever written together. Throws if they differ. */
export function contentOf(read: (path: string) => string | undefined): string | undefined {
  const [one, twin] = [read(contentFile), read(twinFile)];
  if (twin !== undefined && one !== twin) throw new Error(`two states are mixed: "${one}" and "${twin}"`);
  return one;
}

export async function createPairHost(): Promise<PairHost> {
  const api = await createTestApi(async (usual) => ({
    clock: systemClock,
    findCurrentUser: prepareCurrentUser(usual.db, systemClock, usual.log),
    workspace: {
      ...usual.workspace,
      version: versions[0],
      releases: versions
        .map((version, migrations) => ({ version, releasedAt: "2026-01-01T00:00:00Z", channel: "stable" as const, migrations }))
        .toReversed(),
    },
  }));
  const fleet = await createTestFleet({ database: api.database });
  versions.forEach((version) => fleet.engine.installed.add(version));
  // Two reads, between which a workspace may be replaced: the tool reads one process to its end, or fails.
  const exports: EngineExports = {
    async *read(_address, workspaceId): AsyncGenerator<EngineExportFile> {
      const run = fleet.world.workspaces.get(workspaceId)?.run;
      for (const path of [contentFile, twinFile]) {
        const workspace = fleet.world.workspaces.get(workspaceId);
        if (!run || workspace?.run !== run) throw new Error("the tool stopped");
        yield { kind: "workflow", path: `${path}.json`, content: workspace.storage.get(path) ?? "", count: 1 };
      }
    },
    companions: () => [],
  };
  Object.assign(fleet.engine, { exports });
  let launches = 0;
  return {
    fleet,
    api,
    async launch() {
      const now = new Date();
      const [accountId, userId, token, name] = [newId(), newId(), newToken(), `pair-${(launches += 1)}`];
      const { db } = fleet.database;
      await db.insert(accounts).values({ id: accountId, name, createdAt: now });
      const email = `${name}@example.com`;
      await db
        .insert(users)
        .values({ id: userId, accountId, email, fullName: "Ada Lovelace", passwordHash: "-", confirmedAt: now, createdAt: now });
      await db.insert(sessions).values({ tokenHash: hashToken(token), userId, typedAt: now, createdAt: now, expiresAt: after(now, dayMs) });
      const launched = await api.call("POST", "/api/account/setup", { token, body: { timezone: "Etc/UTC" } });
      if (launched.statusCode !== 202) throw new Error(`the launch was refused: ${launched.body}`);
      const [row] = await db.select({ id: workspaces.id }).from(workspaces).where(eq(workspaces.accountId, accountId));
      const scene = await createStoryScene(fleet, name, row!.id);
      const files = () => fleet.world.workspaces.get(scene.id)?.storage;
      return {
        ...scene,
        token,
        email,
        work: (content) => void [contentFile, twinFile].forEach((path) => files()!.set(path, content)),
        content: () => contentOf((path) => files()?.get(path)),
      };
    },
    async [Symbol.asyncDispose]() {
      await fleet.close();
      await api[Symbol.asyncDispose]();
    },
  };
}
