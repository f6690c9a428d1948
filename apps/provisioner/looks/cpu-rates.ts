/** Turns the processor time that workspaces have used since their start into how busy they were between two measurements. */
import type { RunUsage } from "../drivers/driver.ts";

export interface CpuRates {
  /**
   * By workspace: percent of one processor since the last measurement, or the value the driver was told. Without either, a workspace is
   * left out.
   */
  measure(usage: ReadonlyMap<string, Pick<RunUsage, "cpuSeconds" | "cpuPercent">>, at: Date): Map<string, number>;
}

/** Three missing measurements: it slept in between, or another worker measured. */
const mostApartMs = 180_000;

/** Remembers the last measurement in memory. */
export function createCpuRates(): CpuRates {
  let known = new Map<string, { cpuSeconds: number; at: Date }>();
  return {
    measure(usage, at) {
      const percent = new Map<string, number>();
      const next: typeof known = new Map();
      for (const [id, { cpuSeconds, cpuPercent }] of usage) {
        if (cpuPercent !== undefined) percent.set(id, cpuPercent);
        if (cpuSeconds === undefined) continue;
        next.set(id, { cpuSeconds, at });
        const last = known.get(id);
        const apartMs = last ? at.getTime() - last.at.getTime() : 0;
        if (!last || apartMs <= 0 || apartMs > mostApartMs) continue;
        // A process that was started since then has counted from zero.
        const used = cpuSeconds >= last.cpuSeconds ? cpuSeconds - last.cpuSeconds : cpuSeconds;
        percent.set(id, Math.round((used / (apartMs / 1000)) * 100));
      }
      known = next;
      return percent;
    },
  };
}
