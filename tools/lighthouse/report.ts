/** What Lighthouse found, page by page: kept as JSON, and shown as Markdown. */

export const forms = ["phone", "desk"] as const;
export type Form = (typeof forms)[number];

/** The medians of one page's runs in one form. */
export interface PageFigures {
  page: string;
  form: Form;
  runs: number;
  /** From 0 to 100. SEO is measured on pages where visitors arrive; otherwise it is null. */
  performance: number;
  accessibility: number;
  bestPractices: number;
  seo: number | null;
  /** Milliseconds: the first paint of anything, and of the largest part; how long the page was blocked until then. */
  firstPaintMs: number;
  largestPaintMs: number;
  blockedMs: number;
  /** The highest of all runs. */
  layoutShift: number;
  /** How fast the processor was, in Lighthouse's own unit. */
  benchmarkIndex: number;
  /** What cost points, in Lighthouse's words. */
  lost: string[];
}

export interface LighthouseReport {
  version: string;
  /** ISO 8601, of the last run. */
  measuredAt: string;
  machine: string;
  figures: PageFigures[];
}

/** Every measured page scores at least this in each category. */
const leastScore = 98;

/** What falls short of it, a sentence each. */
export const shortfalls = ({ figures }: LighthouseReport): string[] =>
  figures.flatMap(({ page, form, performance, accessibility, bestPractices, seo, layoutShift }) => [
    ...Object.entries({ performance, accessibility, "best practices": bestPractices, SEO: seo })
      .filter(([, score]) => score !== null && score < leastScore)
      .map(([kind, score]) => `${page}, ${form}: ${kind} ${score}`),
    ...(layoutShift > 0 ? [`${page}, ${form}: moved by ${layoutShift}`] : []),
  ]);

/** The kept figures, updated with those of a run. `order`: the pages as they are listed. */
export function mergeReports(kept: LighthouseReport | undefined, run: LighthouseReport, order: readonly string[]): LighthouseReport {
  const isMeasured = ({ page, form }: PageFigures) => run.figures.some((each) => each.page === page && each.form === form);
  const figures = [...(kept?.figures ?? []).filter((each) => !isMeasured(each) && order.includes(each.page)), ...run.figures];
  const place = ({ page, form }: PageFigures) => order.indexOf(page) * forms.length + forms.indexOf(form);
  return { ...run, figures: figures.toSorted((one, other) => place(one) - place(other)) };
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
const line = (cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`;

/** docs/figures/lighthouse.md. */
export function asMarkdown(report: LighthouseReport): string {
  const rows = report.figures.map((each) =>
    line([
      each.page,
      each.form,
      each.performance,
      each.accessibility,
      each.bestPractices,
      each.seo ?? "–",
      seconds(each.firstPaintMs),
      seconds(each.largestPaintMs),
      `${Math.round(each.blockedMs)} ms`,
      each.layoutShift,
      each.runs,
      each.benchmarkIndex,
    ]),
  );
  const lost = report.figures.filter(({ lost: found }) => found.length > 0);
  return [
    "# Lighthouse",
    "",
    `Measured by \`npm run lighthouse -- --keep\` with Lighthouse ${report.version}: the median of each page's runs, with the program as an operator`,
    "runs it and a small program in the engine's place. A phone is Lighthouse's own default (a network of 1.6 Mbit/s with 150 ms, the processor",
    `four times slower), a desk its desktop setting. Each page should have ${leastScore} points of each kind, and nothing on it should move.`,
    "",
    line([
      "page",
      "on a",
      "performance",
      "accessibility",
      "best practices",
      "SEO",
      "first paint",
      "largest paint",
      "blocked",
      "shift",
      "runs",
      "processor",
    ]),
    line(Array<string>(12).fill("---")),
    ...rows,
    "",
    `Measured ${report.measuredAt.slice(0, 10)}: ${report.machine}. The processor is in Lighthouse's own unit; where it is lower, the machine was busy with other work, and`,
    "what was painted and blocked was later by it.",
    "",
    ...(lost.length > 0
      ? ["What cost points:", "", ...lost.map(({ page, form, lost: found }) => `- ${page}, ${form}: ${found.join("; ")}`), ""]
      : []),
  ].join("\n");
}
