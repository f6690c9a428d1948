import { listDifferences } from "#domain/usage/check-store.ts";
import type { Command } from "../command.ts";

const most = 200;

/** Shows which workspaces reported fewer executions than they ran. */
export const usageDifferences: Command = {
  name: "usage-differences",
  summary: "Show which workspaces reported fewer executions than they ran, newest first",
  async run({ db, print }) {
    const differences = await listDifferences(db, most);
    if (differences.length === 0) return print("No differences.");
    for (const { date, accountName, reported, gateway, succeeded, added, workspaceId } of differences) {
      print(
        `${date}  ${accountName}: ${reported} executions reported, at least ${gateway} seen by the gateway, ${succeeded} in the tool's own statistics; ${added} added (workspace ${workspaceId})`,
      );
    }
    if (differences.length === most) print(`Only the newest ${most} are shown.`);
  },
};
