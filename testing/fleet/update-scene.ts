/** A simulated fleet whose workspaces change their version. */
import { say } from "#contract/sentences/say.ts";
import { mails } from "#database/tables.ts";
import { newestUpdate } from "#domain/updates/update-store.ts";
import { requestUpdate } from "#domain/updates/request-update.ts";
import type { TestFleet } from "./test-fleet.ts";

/** Whether it is online with this version, and nothing is left to do. */
export const settled =
  (version: string) => (row: { observedState: string; observedVersion: string | null; generation: number; observedGeneration: number }) =>
    row.observedState === "online" && row.observedVersion === version && row.generation === row.observedGeneration;

/** An online workspace on 2.0.0 with some content; 2.1.0 is available. */
export async function launched(fleet: TestFleet, name = "acme"): Promise<string> {
  fleet.startLoop();
  fleet.engine.installed.add("2.1.0");
  const id = await fleet.want(name);
  await fleet.until(id, settled("2.0.0"));
  fleet.world.get(id).storage.set("things/count.json", '{"workflows":3,"credentials":2,"executions":1}');
  fleet.world.get(id).storage.set("things/flows.json", "as it was");
  return id;
}

/** Requests a change of version, as the panel does. */
export const askFor = (fleet: TestFleet, workspaceId: string, fromVersion: string, toVersion: string, restoreBackupId?: string) =>
  fleet.database.db.transaction((tx) =>
    requestUpdate(
      tx,
      {
        workspaceId,
        fromVersion,
        toVersion,
        askedBy: "owner",
        restoreBackupId,
        line: { event: "settings-changed", message: say("variablesChanged") },
      },
      new Date(),
    ),
  );

/** Of all mails, sent or not. */
export const subjects = async (fleet: TestFleet) =>
  (await fleet.database.db.select({ subject: mails.subject }).from(mails)).map(({ subject }) => subject);
export const updateOf = async (fleet: TestFleet, id: string) => (await newestUpdate(fleet.database.db, id))!.update;
export const commandOf = (fleet: TestFleet, id: string) => fleet.world.get(id).run?.spec.command[1];

/** Makes everything started with this version die immediately. */
export function breakVersion(fleet: TestFleet, version: string): () => void {
  const timer = setInterval(() => {
    for (const [id, { run }] of fleet.world.workspaces) if (run?.spec.command[1] === version) fleet.world.crash(id);
  }, 5);
  return () => clearInterval(timer);
}
