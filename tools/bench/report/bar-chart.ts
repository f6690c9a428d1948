/** Horizontal bars as an SVG of the README's width, for a light or a dark page. */
export type Theme = "light" | "dark";

export interface Bar {
  label: string;
  /** Shown behind the bar. */
  value: string;
  /** Lengths, from the left; all bars of a chart have the same scale. */
  parts: { length: number; tone: "strong" | "soft" | "plain" }[];
}

export interface Chart {
  title: string;
  bars: Bar[];
  /** What each tone means; nothing if empty. */
  legend: { tone: "strong" | "soft"; text: string }[];
  /** Where the figures come from. */
  note: string;
}

/** The panel's accent, and greys that are readable on white and on the usual dark pages. */
const colors = {
  light: { text: "#1f2328", muted: "#59636e", strong: "#0b5c68", soft: "#8fc3c9", plain: "#b9c0c7" },
  dark: { text: "#f0f6fc", muted: "#9198a1", strong: "#5ccbd0", soft: "#2b6f77", plain: "#59636e" },
} as const;

const width = 720;
const barHeight = 18;
const rowHeight = 54;
/** Of the longest bar; its value is to the right of it. */
const longest = 560;

/** The same chart and theme are always the same text. */
export function drawBars({ title, bars, legend, note }: Chart, theme: Theme): string {
  const color = colors[theme];
  const sum = ({ parts }: Bar): number => parts.reduce((total, { length }) => total + length, 0);
  const scale = longest / Math.max(...bars.map(sum));
  const top = legend.length > 0 ? 76 : 52;
  const height = top + bars.length * rowHeight + 22;
  const text = (x: number, y: number, size: number, fill: string, words: string, more = ""): string =>
    `<text x="${x}" y="${y}" font-size="${size}" fill="${fill}"${more}>${escaped(words)}</text>`;
  const drawn = bars.flatMap((bar, index) => {
    const y = top + index * rowHeight;
    let x = 0;
    const rects = bar.parts.map(({ length, tone }) => {
      const wide = round(length * scale);
      const rect = `<rect x="${round(x)}" y="${y + 10}" width="${wide}" height="${barHeight}" rx="3" fill="${color[tone]}"/>`;
      x += wide;
      return rect;
    });
    return [text(0, y, 14, color.text, bar.label), ...rects, text(round(x + 10), y + 24, 14, color.text, bar.value, ' font-weight="600"')];
  });
  const keys = legend.flatMap(({ tone, text: words }, index) => {
    const x = index * 120;
    return [`<rect x="${x}" y="38" width="12" height="12" rx="3" fill="${color[tone]}"/>`, text(x + 18, 49, 13, color.muted, words)];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" font-family="system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif">`,
    `<title>${escaped(title)}</title>`,
    text(0, 20, 17, color.text, title, ' font-weight="600"'),
    ...keys,
    ...drawn,
    text(0, height - 8, 12, color.muted, note),
    "</svg>",
    "",
  ].join("\n");
}

const round = (value: number): number => Math.round(value * 10) / 10;
const escaped = (words: string): string => words.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
