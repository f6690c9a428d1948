import { eq } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { accounts, usageChecks, workspaces } from "#database/tables.ts";
import { insertWorkspace } from "#domain/workspaces/workspace-store.ts";
import { newId } from "#platform/ids.ts";
import { createTestDatabase } from "#testing/postgres.ts";
import type { OpsContext } from "../command.ts";
import { usageDifferences } from "./usage-differences.ts";

test("an operator sees only the workspaces that reported too little, newest first", async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  const { db } = database;
  const run = async () => {
    const lines: string[] = [];
    await usageDifferences.run({ db, print: (line: string) => lines.push(line) } as unknown as OpsContext, { arguments: [], options: {} });
    return lines;
  };
  expect(await run()).toEqual(["No differences."]);
  const now = new Date();
  for (const name of ["honest", "liar"]) {
    const accountId = newId();
    await db.insert(accounts).values({ id: accountId, name, createdAt: now });
    await insertWorkspace(db, { accountId, engine: "n8n", version: "2.0.0", timezone: "Etc/UTC", memoryMb: 512, secrets: "-" }, now);
    const [workspace] = await db.select({ id: workspaces.id }).from(workspaces).where(eq(workspaces.accountId, accountId));
    const toldAt = name === "liar" ? now : null;
    for (const date of ["2026-11-20", "2026-11-21"])
      await db.insert(usageChecks).values({ workspaceId: workspace!.id, date, reported: 3, gateway: 20, succeeded: 18, added: 17, toldAt });
  }
  expect(await run()).toEqual(
    ["2026-11-21", "2026-11-20"].map(
      (date) =>
        expect.stringContaining(
          `${date}  liar: 3 executions reported, at least 20 seen by the gateway, 18 in the tool's own statistics; 17 added`,
        ) as unknown,
    ),
  );
});
