import { expect, test } from "vitest";
import { accounts, backups, mails, workspaces } from "#database/tables.ts";
import { mostAttempts } from "#domain/mail/sending/deliver-mail.ts";
import { after, dayMs, hourMs, minuteMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { createTestDatabase } from "#testing/postgres.ts";
import type { OpsContext } from "../command.ts";
import { troubles } from "./troubles.ts";

test("what is wrong is named with what to do: workspaces that are down, failed backups, mails given up; what is well is not", async () => {
  await using database = await createTestDatabase();
  const { db } = database;
  const now = new Date("2026-11-29T12:00:00Z");
  const run = async (at = now): Promise<string[]> => {
    const lines: string[] = [];
    const context = { db, clock: { now: () => at }, print: (line: string) => void lines.push(line) } as unknown as OpsContext;
    await troubles.run(context, { arguments: [], options: {} });
    return lines;
  };
  expect(await run()).toEqual(["Nothing is wrong that the service knows of."]);

  const add = async (name: string, row: Partial<typeof workspaces.$inferInsert>, tries: readonly ("successful" | "failed")[]) => {
    const [id, accountId] = [newId(), newId()];
    await db.insert(accounts).values({ id: accountId, name, createdAt: now });
    const usual = { engine: "n8n", desiredState: "running", desiredVersion: "2.1.0", timezone: "Etc/UTC", memoryMb: 512 } as const;
    await db.insert(workspaces).values({ id, accountId, ...usual, secrets: "-", createdAt: now, updatedAt: now, ...row });
    for (const [index, state] of tries.entries())
      await db.insert(backups).values({
        id: newId(),
        accountId,
        workspaceId: id,
        engine: "n8n",
        kind: "nightly",
        engineVersion: "2.1.0",
        state,
        reason: state === "failed" ? "the storage is full" : null,
        createdAt: after(now, (index - 10) * hourMs),
      });
  };
  await add("well", { observedState: "online" }, ["failed", "successful"]);
  await add("stopped", { observedState: "none", desiredState: "stopped" }, []);
  await add("broken", { observedState: "offline", reasonCode: "out-of-memory", failures: 3 }, ["successful", "failed"]);
  const mail = { id: newId(), recipient: "ada@example.com", subject: "Your invoice", text: "-", html: "-", lastError: "550 no such user" };
  await db.insert(mails).values({ ...mail, createdAt: after(now, -4 * dayMs), failedAt: after(now, -6 * hourMs), attempts: mostAttempts });

  await run(after(now, -20 * minuteMs));
  const lines = await run();
  expect(lines).toContain("A workspace has not answered for 15 minutes. 1 of 2: broken.");
  expect(lines).toContain("  broken  offline  out-of-memory  3 failures  on main");
  expect(lines).toContain("  broken  2026-11-29 03:00 UTC  nightly  the storage is full");
  expect(lines).toContain(`  ${mail.id}  ada@example.com  Your invoice  550 no such user`);
  expect(lines.join("\n")).not.toMatch(/well|stopped/);
});
