/** The result of each attack, as a line of JSON from the tests and as a table for readers. */
import type { Attack, Outcome } from "./attack.ts";

interface Row extends Outcome {
  title: string;
  means: string;
}

export const lineOf = ({ title, means }: Attack, outcome: Outcome): string => `${JSON.stringify({ title, means, ...outcome })}\n`;

/** The lines as a Markdown table. */
export function printTable(lines: string): string {
  const rows = lines
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Row);
  const cells = rows.map(({ title, means, stoppedBy, harms, latency }) => [
    title,
    means,
    short(stoppedBy),
    harms.length > 0 ? `YES: ${harms.join("; ")}` : "no",
    latency
      ? `${latency.ratio.toFixed(2)} (${Math.round(latency.quietMs)} → ${Math.round(latency.medianMs)} ms, p95 ${Math.round(latency.quietP95Ms)} → ${Math.round(latency.p95Ms)} ms)`
      : "",
  ]);
  const table = [
    ["an attacker …", "by", "stopped by", "harmed", "neighbour's latency, times the usual"],
    ["---", "---", "---", "---", "---"],
    ...cells,
  ];
  return table.map((row) => `| ${row.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`).join("\n");
}

const short = (text: string): string => (text.length > 120 ? `${text.slice(0, 117)}…` : text);
