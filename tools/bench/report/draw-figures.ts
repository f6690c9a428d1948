/** The README's pictures and the page of figures, from kept figures. */
import type { Bar, Chart, Theme } from "./bar-chart.ts";
import { drawBars } from "./bar-chart.ts";
import { ownedWorkspaces, reservedMb } from "./owned-workspaces.ts";
import { asMarkdown, figuresOf, type RunReport } from "./run-report.ts";

const themes: readonly Theme[] = ["light", "dark"];

/** Every file by its name in `docs/figures`. */
export function drawFigures(report: RunReport): Record<string, string> {
  const pictures = { "launch-time": launchChart(report), "owned-workspaces": ownedChart(report) };
  const files: Record<string, string> = { "figures.md": page(report) };
  for (const [name, chart] of Object.entries(pictures)) for (const theme of themes) files[`${name}-${theme}.svg`] = drawBars(chart, theme);
  return files;
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
const measured = (report: RunReport, part: string): string => {
  const { measuredAt = "", machine = "" } = report[part] ?? {};
  return `measured by npm run bench on ${measuredAt.slice(0, 10)} on ${machine.split(",")[0]}.`;
};

function launchChart(report: RunReport): Chart {
  const { bareStartMs, coldLaunchMs, poolLaunchMs } = figuresOf(report);
  const bar = (label: string, ms: number | undefined, tone: "plain" | "strong"): Bar[] =>
    ms === undefined ? [] : [{ label, value: seconds(ms), parts: [{ length: ms, tone }] }];
  return {
    title: "Time until a new workspace answers",
    legend: [],
    bars: [
      ...bar("Bare n8n in an empty folder", bareStartMs, "plain"),
      ...bar("Slipway, from the click on Launch", coldLaunchMs, "strong"),
      ...bar("Slipway, from the pool", poolLaunchMs, "strong"),
    ],
    note: `Medians, ${measured(report, "launch")}`,
  };
}

function ownedChart(report: RunReport): Chart {
  const memory = report["density"] ? "density" : "memory";
  return {
    title: "Workspaces that fit in 24 GB of memory",
    legend: [
      { tone: "strong", text: "awake" },
      { tone: "soft", text: "asleep" },
    ],
    bars: ownedWorkspaces(figuresOf(report)).map(({ what, awake, asleep }, index) => ({
      label: what,
      value: String(awake + asleep),
      parts: [
        { length: awake, tone: index === 0 ? "plain" : "strong" },
        { length: asleep, tone: "soft" },
      ],
    })),
    note: `Arithmetic on the memory of one workspace, ${measured(report, memory)}`,
  };
}

const page = (report: RunReport): string => `# Figures

Measured by \`npm run bench -- --keep\` against baselines of the same run, which also draws the README's pictures from them.

${asMarkdown(report)}
## Workspaces that fit in 24 GB

${reservedMb} MB are left to the system, PostgreSQL and the control plane. What is paged out is compressed in memory, or on a disk that the kernel encrypts.

| | awake | asleep | sum |
| --- | --- | --- | --- |
${ownedWorkspaces(figuresOf(report))
  .map(({ what, awake, asleep, sum }) => `| ${what} | ${awake} | ${asleep} | ${sum} |`)
  .join("\n")}
`;
