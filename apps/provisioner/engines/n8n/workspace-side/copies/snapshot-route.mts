/** On the control plane's request, n8n writes a consistent copy of its database while it keeps running, and deletes it later. */
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Handler, HookContext } from "../internals.mts";
import { snapshotFolder, snapshotsFolder } from "./snapshot-place.mts";

interface SnapshotRoutes {
  write: Handler;
  remove: Handler;
}

const nameShape = /^[a-z0-9-]{1,64}$/;

/** The handlers; mount each behind the check of the control plane's token. `folder` is the workspace's folder. */
export function createSnapshotRoutes(context: HookContext, folder: string): SnapshotRoutes {
  return {
    write: named(async (name) => {
      // One copy at a time: an earlier one is removed first.
      await rm(join(folder, snapshotsFolder), { recursive: true, force: true });
      const place = join(folder, snapshotFolder(name));
      await mkdir(place, { recursive: true, mode: 0o700 });
      // On n8n's own connection: a second SQLite in the process would drop the locks of the first.
      await context.dbCollections.Workflow.query("VACUUM INTO ?", [join(place, "database.sqlite")]);
    }),
    remove: named((name) => rm(join(folder, snapshotFolder(name)), { recursive: true, force: true })),
  };
}

function named(act: (name: string) => Promise<void>): Handler {
  return async (request, response) => {
    const { name } = (request.body ?? {}) as Record<string, unknown>;
    if (typeof name !== "string" || !nameShape.test(name)) return response.status(422).json({ message: "name is needed" });
    try {
      await act(name);
      return response.status(200).json({});
    } catch (error) {
      return response.status(500).json({ message: (error as Error).message });
    }
  };
}
