import { expect, test } from "vitest";
import { secondMs } from "#platform/clock.ts";
import { createCpuRates } from "./cpu-rates.ts";

/** Measurements of one workspace, by second. */
function measure(values: readonly (readonly [second: number, cpuSeconds: number | undefined])[]): (number | undefined)[] {
  const rates = createCpuRates();
  return values.map(([second, cpuSeconds]) =>
    rates.measure(new Map([["a", cpuSeconds === undefined ? {} : { cpuSeconds }]]), new Date(second * secondMs)).get("a"),
  );
}

test("the share of a processor is that of the time since the last measurement", () => {
  expect(
    measure([
      [0, 10],
      [60, 40],
      [120, 41.2],
      [180, 161.2],
    ]),
  ).toEqual([undefined, 50, 2, 200]);
});

test("a restart counts from zero, and a long pause, a driver that cannot tell, or a clock that goes back give nothing", () => {
  expect(
    measure([
      [0, 100],
      [60, 30],
      [600, 90],
      [660, undefined],
      [720, 100],
      [700, 101],
    ]),
  ).toEqual([undefined, 50, undefined, undefined, undefined, undefined]);
});

test("a share that the driver reports is used unchanged, from the first measurement on", () => {
  const usage = new Map([
    ["a", { cpuPercent: 125 }],
    ["b", {}],
  ]);
  expect(createCpuRates().measure(usage, new Date(0))).toEqual(new Map([["a", 125]]));
});
