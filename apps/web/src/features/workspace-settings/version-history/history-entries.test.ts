import { expect, test } from "vitest";
import type { WorkspaceUpdate } from "#contract/workspaces/update.ts";
import { historyEntries, type HistoryPage } from "./history-entries.ts";

const day = (count: number) => new Date(Date.UTC(2026, 10, count)).toISOString();

const update = (at: number, changes: Partial<WorkspaceUpdate> = {}): WorkspaceUpdate => ({
  fromVersion: "1.0.0",
  toVersion: "2.0.0",
  askedBy: "owner",
  state: "successful",
  isRollBack: false,
  reason: null,
  startedAt: day(at),
  finishedAt: day(at),
  canRollBackUntil: null,
  ...changes,
});
const launch = { version: "1.0.0", at: day(1) };
const page = (updates: WorkspaceUpdate[], rest: Partial<HistoryPage> = {}): HistoryPage => ({ updates, next: null, launch, ...rest });

test("a workspace that was never updated has run one version since its launch", () => {
  expect(historyEntries([page([])])).toEqual([
    { kind: "ran", version: "1.0.0", from: day(1), until: null, how: "launch", wasRolledBack: false },
  ]);
});

test("each version ran from the end of its update to the end of the next; a version that was left again says so", () => {
  const back = update(9, { fromVersion: "2.0.0", toVersion: "1.0.0", isRollBack: true });
  const entries = historyEntries([page([back, update(5, { askedBy: "window" })])]);
  expect(entries.map((entry) => entry.kind === "ran" && [entry.version, entry.from, entry.until, entry.how, entry.wasRolledBack])).toEqual([
    ["1.0.0", day(9), null, "roll-back", false],
    ["2.0.0", day(5), day(9), "window", true],
    ["1.0.0", day(1), day(5), "launch", false],
  ]);
});

test("an update under way, a failed one and one that was undone automatically end no version's time", () => {
  const entries = historyEntries([
    page([
      update(8, { state: "running", finishedAt: null }),
      update(6, { state: "failed", askedBy: "operator", reason: "It could not be installed." }),
      update(4, { state: "rolled-back" }),
    ]),
  ]);
  expect(entries.map((entry) => (entry.kind === "tried" ? [entry.state, entry.at, entry.how] : [entry.version, entry.until]))).toEqual([
    ["running", day(8), "owner"],
    ["failed", day(6), "operator"],
    ["rolled-back", day(4), "owner"],
    ["1.0.0", null],
  ]);
});

test("a time that begins on one page ends on the page before it; the launch is not known before the last one", () => {
  const first = page([update(9, { fromVersion: "2.0.0", toVersion: "3.0.0" })], { next: day(9), launch: null });
  expect(historyEntries([first])).toHaveLength(1);
  expect(historyEntries([first, page([update(5)])])).toMatchObject([
    { version: "3.0.0", until: null },
    { version: "2.0.0", from: day(5), until: day(9) },
    { version: "1.0.0", until: day(5) },
  ]);
});
