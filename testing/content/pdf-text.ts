/** Reads the text of PDFs that this program draws, and of no others. */
import { inflateSync } from "node:zlib";

const hexOf = (text: string): string[] => [...text.matchAll(/<([0-9a-f]+)>/g)].map(([, hex]) => hex!);
const codesOf = (hex: string): number[] => (hex.match(/.{4}/g) ?? []).map((code) => Number.parseInt(code, 16));

/** The text of such a PDF, a line for each text run, in drawing order; decoded with the PDF's own tables from glyphs to letters. */
export function pdfText(pdf: Buffer): string {
  const streams = [...pdf.toString("latin1").matchAll(/stream\n([^]*?)\nendstream/g)].map(([, body]) =>
    inflate(Buffer.from(body!, "latin1")),
  );
  const lists = streams
    .filter((text) => text.includes("beginbfrange"))
    .map((text) => [...text.matchAll(/> \[([^\]]*)\]/g)].flatMap(([, letters]) => hexOf(letters!)));
  // Fonts are written into the file in the order of first use.
  const runs = streams.flatMap((text) =>
    [...text.matchAll(/\/(F\d+) [\d.]+ Tf[^]*?\[([^\]]*)\] TJ/g)].map(([, font, glyphs]) => ({
      font: font!,
      glyphs: hexOf(glyphs!).flatMap(codesOf),
    })),
  );
  const fonts = [...new Set(runs.map(({ font }) => font))];
  return runs
    .map(({ font, glyphs }) => glyphs.map((glyph) => String.fromCodePoint(...codesOf(lists[fonts.indexOf(font)]?.[glyph] ?? ""))).join(""))
    .join("\n");
}

function inflate(body: Buffer): string {
  try {
    return inflateSync(body).toString("latin1");
  } catch {
    return "";
  }
}
