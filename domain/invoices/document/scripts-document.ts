/**
 * A PDF that prints text of any script: pdfkit draws with one font and from left to right. Text that Inter has is left to pdfkit; any other
 * is split into runs of one font and one direction, which are shaped by their fonts and ordered by the Unicode bidirectional algorithm.
 */
import bidiFactory from "bidi-js";
import PdfDocument from "pdfkit";
import { fontFor, graphemesOf, plainFont, type Face } from "./invoice-fonts.ts";
import type { Cluster, ShapedFont } from "./shaped-font.ts";

type Options = PDFKit.Mixins.TextOptions;

interface Run {
  font: ShapedFont;
  clusters: readonly Cluster[];
  width: number;
}

/** What pdfkit's own `text` uses to write glyphs. */
interface Inside {
  _font: {
    id: string;
    ref(): unknown;
    /** Glyphs as numbers in the embedded font; positions in thousandths of the font size. */
    encode(text: string, features: readonly Cluster[]): [glyphs: string[], positions: Cluster["positions"]];
  };
  page: { height: number; fonts: Record<string, unknown> };
}

const rounded = (length: number): number => Math.round(length * 1000) / 1000;

const bidi = bidiFactory();

/** Of the font size: Arabic and Thai letters are taller than Latin ones. */
const tallLine = 1.45;

export class ScriptsDocument extends PdfDocument {
  // Without an initial value, which would replace what pdfkit's constructor sets.
  declare private face: Face;
  private readonly country: string;

  /** `country` of the customer: it decides between the shapes of Han characters. */
  constructor(options: PDFKit.PDFDocumentOptions, country: string) {
    super(options);
    this.country = country;
    for (const face of ["regular", "bold"] as const) this.registerFont(face, plainFont(face).forPdf as never);
  }

  /** One of our faces, or a parsed font. */
  override font(source: PDFKit.Mixins.PDFFontSource): this {
    if (source === "regular" || source === "bold") this.face = source;
    return super.font(source);
  }

  override text(text: string, x?: number | Options, y?: number, given?: Options): this {
    const isPlaced = typeof x === "number";
    if (this.isPlain(text)) return isPlaced ? super.text(text, x, y, given) : super.text(text, x);
    const options = (isPlaced ? given : x) ?? {};
    this.drawLines(text, isPlaced ? x : this.x, y ?? this.y, options);
    return this;
  }

  /** pdfkit writes the title and the author unescaped into the metadata, which is XML. */
  override endMetadata(): void {
    const { info } = this;
    const escape = (value: unknown) =>
      typeof value === "string" ? value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;") : value;
    this.info = Object.fromEntries(Object.entries(info).map(([name, value]) => [name, escape(value)]));
    super.endMetadata();
    this.info = info;
  }

  override heightOfString(text: string, options: Options = {}): number {
    if (this.isPlain(text)) return super.heightOfString(text, options);
    return this.breakIntoLines(text, options).length * this.tallLineHeight();
  }

  private isPlain(text: string): boolean {
    const font = plainFont(this.face ?? "regular");
    return Array.from(text).every((character) => character === "\n" || font.has(character));
  }

  private tallLineHeight(): number {
    return Math.max(this.currentLineHeight(true), this.fontSizeNow() * tallLine);
  }

  private fontSizeNow(): number {
    return (this as unknown as { _fontSize: number })._fontSize;
  }

  private drawLines(text: string, x: number, y: number, options: Options): void {
    const { face } = this;
    const height = this.tallLineHeight();
    const size = this.fontSizeNow();
    const font = plainFont(face);
    const lines = this.breakIntoLines(text, options);
    lines.forEach((line, index) => {
      const runs = this.runsOf(line);
      const width = runs.reduce((sum, run) => sum + run.width, 0);
      let at = x + (index === 0 ? (options.indent ?? 0) : 0);
      if (options.align === "right") at += (options.width ?? 0) - width;
      const baseline = y + index * height + (height - size) / 2 + size * font.ascent - (size * 0.2) / 2;
      for (const run of runs) {
        this.drawRun(run, at, baseline);
        at += run.width;
      }
      this.font(face as never);
    });
    this.x = x;
    this.y = y + lines.length * height;
  }

  private drawRun({ font, clusters }: Run, x: number, y: number): void {
    super.font(font.forPdf as never);
    if (clusters.every(({ text, glyphs }) => glyphs.length === 1 && !isComposed.test(text))) {
      const text = clusters.map((cluster) => cluster.text).join("");
      super.text(text, x, y, { lineBreak: false, baseline: "alphabetic", features: clusters as never });
      return;
    }
    // Arabic dots and Indic vowels are glyphs that several letters share: what is copied has to be said for each cluster.
    const { _font: embedded, page } = this as unknown as Inside;
    const size = this.fontSizeNow();
    this.save().transform(1, 0, 0, -1, 0, page.height);
    page.fonts[embedded.id] ??= embedded.ref();
    this.addContent("BT").addContent(`/${embedded.id} ${size} Tf`);
    let at = x;
    for (const cluster of clusters) {
      const [glyphs, positions] = embedded.encode(cluster.text, [cluster]);
      this.addContent(`/Span <</ActualText <${hexOf(cluster.text)}>>> BDC`);
      glyphs.forEach((glyph, index) => {
        const { xAdvance, xOffset, yOffset } = positions[index]!;
        const [left, up] = [at + (xOffset * size) / 1000, page.height - y + (yOffset * size) / 1000];
        this.addContent(`1 0 0 1 ${rounded(left)} ${rounded(up)} Tm [<${glyph}>] TJ`);
        at += (xAdvance * size) / 1000;
      });
      this.addContent("EMC");
    }
    this.addContent("ET").restore();
  }

  /** The runs of a line in the order in which they are drawn. */
  private runsOf(line: string): Run[] {
    const fonts = this.fontsOf(line);
    const embedding = bidi.getEmbeddingLevels(line, "auto");
    const order = bidi.getReorderedIndices(line, embedding);
    const runs: Run[] = [];
    for (let start = 0; start < order.length;) {
      const [first] = order.slice(start, start + 1) as [number];
      const [font, level] = [fonts[first]!, embedding.levels[first]!];
      let end = start + 1;
      while (end < order.length && fonts[order[end]!] === font && embedding.levels[order[end]!] === level) end += 1;
      const indexes = order.slice(start, end).toSorted((one, other) => one - other);
      const clusters = font.shape(indexes.map((index) => line[index]!).join(""), level % 2 === 1);
      runs.push({ font, clusters, width: font.widthOf(clusters) * this.fontSizeNow() });
      start = end;
    }
    return runs;
  }

  /** For each index of the text. */
  private fontsOf(text: string): ShapedFont[] {
    return graphemesOf(text).flatMap((grapheme) => {
      const font = fontFor(grapheme, this.face, text, this.country) ?? plainFont(this.face);
      return Array.from({ length: grapheme.length }, () => font);
    });
  }

  private widthOf(text: string): number {
    return this.runsOf(text).reduce((sum, { width }) => sum + width, 0);
  }

  private breakIntoLines(given: string, { width = Infinity, lineBreak, height = Infinity, indent = 0 }: Options): string[] {
    const text = this.printable(given);
    if (lineBreak === false || width === Infinity) return [text];
    const lines: string[] = [];
    let line = "";
    const room = () => width - (lines.length === 0 ? indent : 0);
    for (const part of partsOf(text)) {
      if (line !== "" && this.widthOf((line + part).trimEnd()) > room()) {
        lines.push(line.trimEnd());
        line = "";
      }
      line += part;
      // A part that is longer than a line.
      while (this.widthOf(line.trimEnd()) > room()) {
        const start = this.fitting(line, room());
        lines.push(start);
        line = line.slice(start.length);
      }
    }
    lines.push(line.trimEnd());
    const most = Math.max(1, Math.floor(height / this.tallLineHeight()));
    if (lines.length <= most) return lines;
    const last = lines.slice(most - 1).join(" ");
    return [...lines.slice(0, most - 1), `${this.fitting(last, width - this.widthOf("…"))}…`];
  }

  /** As much of a text's start as fits, but at least a character. */
  private fitting(text: string, width: number): string {
    const [first = "", ...rest] = graphemesOf(text);
    let start = first;
    for (const grapheme of rest) {
      if (this.widthOf(start + grapheme) > width) break;
      start += grapheme;
    }
    return start;
  }

  /** Emoji, which our fonts lack, are left out: a box would be worse. */
  private printable(text: string): string {
    const kept = graphemesOf(text).filter(
      (grapheme) => !/\p{Extended_Pictographic}|\p{RI}/u.test(grapheme) || fontFor(grapheme, this.face, text, this.country),
    );
    return kept.join("").replace(/ {2,}/g, " ").trim();
  }
}

/** UTF-16 with a mark of its byte order, as PDF has it. */
const hexOf = (text: string): string =>
  `feff${Array.from({ length: text.length }, (_, index) => text.charCodeAt(index).toString(16).padStart(4, "0")).join("")}`;

/** Scripts whose letters are put together from glyphs: all but those below. */
const isComposed =
  /[^\p{scx=Latin}\p{scx=Greek}\p{scx=Cyrillic}\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hangul}\p{scx=Bopomofo}\p{scx=Zyyy}\p{scx=Zinh}]/u;

const unspaced = String.raw`[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]`;
const mayBreakAfter = new RegExp(String.raw`(?: |-|(?![\p{Ps}\p{Pi}])${unspaced})$`, "u");
const mayBreakBefore = new RegExp(String.raw`^(?![\p{P}\p{M}\u30fc])(?:${unspaced}|[\p{L}\p{N}])`, "u");
const words = new Intl.Segmenter(undefined, { granularity: "word" });

/** The parts of a text that stay on one line: words with the spaces after them; in scripts without spaces, words by a dictionary. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  for (const { segment } of words.segment(text)) {
    const last = parts.at(-1);
    if (last !== undefined && (last.endsWith(" ") ? segment !== " " : mayBreakAfter.test(last) && mayBreakBefore.test(segment)))
      parts.push(segment);
    else parts[Math.max(0, parts.length - 1)] = (last ?? "") + segment;
  }
  return parts;
}
