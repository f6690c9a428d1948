/** Reads the text of PDFs that this program draws, and of no others. */
import { inflateSync } from "node:zlib";

const hexOf = (text: string): string[] => [...text.matchAll(/<([0-9a-f ]*)>/g)].map(([, hex]) => hex!.replaceAll(" ", ""));
const codesOf = (hex: string): number[] => (hex.match(/.{4}/g) ?? []).map((code) => Number.parseInt(code, 16));
const textOf = (hex: string): string => String.fromCharCode(...codesOf(hex));

const streamsOf = (pdf: Buffer): string[] =>
  [...pdf.toString("latin1").matchAll(/stream\n([^]*?)\nendstream/g)].map(([, body]) => inflate(Buffer.from(body!, "latin1")));

/** Everything that such a PDF draws, as its operators. */
export const inflated = (pdf: Buffer): string => streamsOf(pdf).join("\n");

/** The text of such a PDF, a line for each text run, in drawing order; decoded with the PDF's own tables from glyphs to letters. */
export function pdfText(pdf: Buffer): string {
  const streams = streamsOf(pdf);
  const lists = streams
    .filter((text) => text.includes("beginbfrange"))
    .map((text) => [...text.matchAll(/> \[([^\]]*)\]/g)].flatMap(([, letters]) => hexOf(letters!)));
  // Fonts are written into the file in the order of first use.
  const runs = streams.flatMap((text) =>
    [...text.matchAll(/^BT\n[^]*?\/(F\d+) [\d.]+ Tf\n([^]*?)^ET$/gm)].map(([, font, body]) => ({ font: font!, body: body! })),
  );
  const fonts = [...new Set(runs.map(({ font }) => font))];
  return runs
    .map(({ font, body }) => {
      // What a reader copies, where that is said.
      const said = [...body.matchAll(/ActualText <feff([0-9a-f]*)>/g)].map(([, hex]) => textOf(hex!));
      if (said.length > 0) return said.join("");
      const glyphs = [...body.matchAll(/\[([^\]]*)\] TJ/g)].flatMap(([, list]) => hexOf(list!).flatMap(codesOf));
      return glyphs.map((glyph) => textOf(lists[fonts.indexOf(font)]?.[glyph] ?? "")).join("");
    })
    .join("\n");
}

function inflate(body: Buffer): string {
  try {
    return inflateSync(body).toString("latin1");
  } catch {
    return "";
  }
}
