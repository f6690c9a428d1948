import { DrizzleQueryError } from "drizzle-orm";
import { expect, test } from "vitest";
import { StartTrouble } from "#platform/start-trouble.ts";
import { explainStart } from "./explain-start.ts";
import { refuseOldServer } from "./parts/open-data.ts";

const failed = (code: string, more: object = {}): Error => Object.assign(new Error("it failed"), { code, ...more });
const inside = (cause: Error): Error => new Error("Failed query: create table", { cause });
const local = { dataDir: "/data", databaseUrl: undefined };
const elsewhere = { dataDir: "/data", databaseUrl: "postgresql://db.example/slipway" };

test.each([
  [
    "a file of the program",
    failed("ENOSPC", { path: "/data/host-name" }),
    local,
    "The disk of /data/host-name is full. Make room, or choose another DATA_DIR.",
  ],
  ["a quota", failed("EDQUOT"), local, "The disk of /data is full. Make room, or choose another DATA_DIR."],
  ["the embedded database", inside(failed("53100")), local, "The disk of /data is full. Make room, or choose another DATA_DIR."],
  ["another database", failed("53100"), elsewhere, "The disk of the database is full. Make room there and start again."],
  [
    "a folder in place of a file",
    failed("EISDIR", { syscall: "read" }),
    local,
    "Something in /data can't be used (EISDIR). A folder is where a file must be. Move it away.",
  ],
  [
    "a file that the user may not open",
    failed("EACCES", { path: "/data/postgres/password", syscall: "open" }),
    local,
    "/data/postgres/password can't be used (EACCES). This user may not use it. Correct its owner and mode.",
  ],
])("what a start meets with %s is said in a sentence", (_what, error, config, sentence) => {
  const explained = explainStart(error, config);
  expect(explained).toBeInstanceOf(StartTrouble);
  expect((explained as Error).message).toBe(sentence);
});

test("any other error stays what it is", () => {
  for (const error of [
    failed("EACCES"),
    failed("23505"),
    new TypeError("a fault"),
    new StartTrouble("a sentence", { cause: failed("ENOSPC") }),
    "text",
  ])
    expect(explainStart(error, local)).toBe(error);
});

test.each([
  [
    Object.assign(new Error("connect ENOENT /run/x"), { code: "ENOENT", syscall: "connect" }),
    /can't be used: connect ENOENT \/run\/x\. Start it/,
  ],
  [new Error("timeout exceeded when trying to connect"), /did not answer in time\./],
])("of a failed query its cause is said: %s", (cause, sentence) => {
  const explained = explainStart(new DrizzleQueryError("select 1", [], cause), elsewhere);
  expect((explained as Error).message).toMatch(sentence);
});

test.each([
  ["149999", "PostgreSQL 14"],
  ["90624", "PostgreSQL 9"],
])("a server of version %s is too old, and is not touched", async (version, words) => {
  const asked: string[] = [];
  const query = async (text: string) => {
    asked.push(text);
    return { rows: [{ version }] };
  };
  await expect(refuseOldServer({ query } as never)).rejects.toThrow(`${words}, and Slipway needs 15 or later`);
  expect(asked).toEqual(["select current_setting('server_version_num') as version"]);
  await refuseOldServer({ query: async () => ({ rows: [{ version: "150000" }] }) } as never);
});
