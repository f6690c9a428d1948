/** The control plane has n8n write a consistent copy of its database while it goes on working, and takes it away again. */
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Handler, HookContext } from "./internals.mts";
import { snapshotFolder, snapshotsFolder } from "./snapshot-place.mts";

export interface SnapshotRoutes {
  write: Handler;
  remove: Handler;
}

const nameShape = /^[a-z0-9-]{1,64}$/;

/** The handlers; each needs the control plane's token before it. `folder` is the workspace's own. */
export function createSnapshotRoutes(context: HookContext, folder: string): SnapshotRoutes {
  return {
    write: named(async (name) => {
      // One at a time is enough: what an earlier one left is in the way.
      await rm(join(folder, snapshotsFolder), { recursive: true, force: true });
      const place = join(folder, snapshotFolder(name));
      await mkdir(place, { recursive: true, mode: 0o700 });
      // By n8n's own connection: a second SQLite in one process would take away the locks of the first.
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
