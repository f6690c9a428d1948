/** What a run measured, part by part: kept as JSON, and shown as Markdown. */
import os from "node:os";
import { readFileSync } from "node:fs";
import type { BenchRow, Figures } from "../bench-row.ts";

interface PartReport {
  /** ISO 8601. */
  measuredAt: string;
  machine: string;
  rows: BenchRow[];
}

/** Each part by its name, such as `launch`. */
export type RunReport = Record<string, PartReport>;

/** Processor, cores, memory, system and Node, in words. */
export function describeMachine(): string {
  const cores = os.cpus();
  const system = /^PRETTY_NAME="(.+)"$/m.exec(readOr("/etc/os-release"))?.[1] ?? os.type();
  const memory = `${Math.round(os.totalmem() / 1024 ** 3)} GB`;
  return `${cores.length} × ${cores[0]?.model.trim() ?? "processor"}, ${memory}, ${system}, kernel ${os.release()}, Node ${process.versions.node}`;
}

function readOr(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** All figures of the parts together. */
export const figuresOf = (report: RunReport): Figures =>
  Object.assign({}, ...Object.values(report).flatMap(({ rows }) => rows.map(({ figures }) => figures ?? {}))) as Figures;

export const verdictOf = ({ ok }: BenchRow): string => (ok === null ? "not measured" : ok ? "ok" : "MISSED");
export const ratioOf = ({ ratio }: BenchRow): string => (ratio === null ? "–" : ratio.toFixed(2));

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");
const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(" | ")} |`;

/** One table of all parts, and where and when each was measured. */
export function asMarkdown(report: RunReport): string {
  const parts = Object.entries(report);
  const rows = parts.flatMap(([part, { rows: all }]) =>
    all.map((row) => line([part, row.what, ratioOf(row), row.budget, verdictOf(row), row.detail])),
  );
  const measured = parts.map(([part, { measuredAt, machine }]) => `- ${part}: ${measuredAt.slice(0, 10)}, ${machine}`);
  return [
    line(["part", "what", "ratio", "budget", "verdict", "measured"]),
    line(Array<string>(6).fill("---")),
    ...rows,
    "",
    ...measured,
    "",
  ].join("\n");
}
