import { expect, test } from "vitest";
import { StartTrouble } from "#platform/start-trouble.ts";
import { explainFullDisk } from "./full-disk.ts";

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
])("a full disk that a start meets with %s is said in a sentence", (_what, error, config, sentence) => {
  const explained = explainFullDisk(error, config);
  expect(explained).toBeInstanceOf(StartTrouble);
  expect((explained as Error).message).toBe(sentence);
});

test("any other error stays what it is", () => {
  for (const error of [failed("EACCES"), new StartTrouble("a sentence", { cause: failed("ENOSPC") }), "text"])
    expect(explainFullDisk(error, local)).toBe(error);
});
