/** Makes everything look as if a first start had written it at this moment, so that no time reveals the blank's wait. */
import { lutimes, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { HookContext } from "../internals.mts";

/** Tables in which a first start writes its own rows (data-template.mts); all other rows belong to the release. */
const ownTables = ["user", "project", "project_relation", "instance_version_history", "deployment_key"];
/** In n8n's format. */
const now = "STRFTIME('%Y-%m-%d %H:%M:%f', 'NOW')";

/** Gives all rows and files of the workspace the current time. */
export async function forgetWaiting({ dbCollections: { User } }: HookContext, folder: string): Promise<void> {
  // In one transaction, because each waits for the disk, and an owner waits for this.
  await User.manager.transaction(async (tx) => {
    for (const table of ownTables) {
      const columns = (await tx.query(`PRAGMA table_info("${table}")`)) as { name: string }[];
      const times = columns.filter(({ name }) => name === "createdAt" || name === "updatedAt").map(({ name }) => `"${name}" = ${now}`);
      if (times.length > 0) await tx.query(`UPDATE "${table}" SET ${times.join(", ")}`);
    }
  });
  const at = new Date();
  // With their types, links are not followed: the editor's files are shared, and each would cost a refused call, a second in total.
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  // Files come and go while n8n runs.
  await Promise.all(entries.map(({ parentPath, name }) => lutimes(join(parentPath, name), at, at).catch(() => undefined)));
}
