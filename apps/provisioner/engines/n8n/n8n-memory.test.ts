import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { dealMemory } from "./n8n-memory.ts";

const { specs } = JSON.parse(readFileSync(new URL("../../../../domain/plans/plans.json", import.meta.url), "utf8")) as {
  specs: { id: string; memoryMb?: number }[];
};
const defaultMb = 1024;

test.each(specs.map(({ id, memoryMb = defaultMb }) => [id, memoryMb] as const))(
  "the heaps, what lies outside of them and a message on its way fit into the %s plan's %i MB",
  (_id, memoryMb) => {
    const { mainHeapMb, runnerHeapMb, messageMb, runnerMb } = dealMemory(memoryMb);
    expect(mainHeapMb + runnerHeapMb + 220 + 6 * messageMb).toBeLessThanOrEqual(memoryMb);
    expect(mainHeapMb + 150 + 4 * messageMb + runnerMb).toBeLessThanOrEqual(memoryMb);
    expect(mainHeapMb).toBeGreaterThanOrEqual(384);
    expect(runnerHeapMb).toBeGreaterThanOrEqual(128);
    // A file of 16 MB has 22 MB as text.
    expect(messageMb).toBeGreaterThanOrEqual(22);
  },
);

test("more memory gives more of each, and n8n starts even with little memory", () => {
  expect([256, 1024, 2048, 4096].map(dealMemory)).toEqual([
    { mainHeapMb: 384, runnerHeapMb: 96, messageMb: 16, runnerMb: 198 },
    { mainHeapMb: 459, runnerHeapMb: 153, messageMb: 32, runnerMb: 287 },
    { mainHeapMb: 1083, runnerHeapMb: 361, messageMb: 64, runnerMb: 559 },
    { mainHeapMb: 2331, runnerHeapMb: 777, messageMb: 128, runnerMb: 1103 },
  ]);
});
