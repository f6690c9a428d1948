/**
 * A font that HarfBuzz shapes and that pdfkit embeds. pdfkit's own shaping fails on marks of Indic scripts, reads a font's tables again for
 * each document, and takes the direction from the script alone, which turns digits in Arabic around.
 */
import { readFileSync } from "node:fs";
import bidiFactory from "bidi-js";
import { create, type Font } from "fontkit";
import * as harfbuzz from "harfbuzzjs";

const bidi = bidiFactory();

/** What pdfkit takes for a glyph. `codePoints`: what a reader copies, unless told otherwise. */
interface Glyph {
  id: number;
  advanceWidth: number;
  codePoints: number[];
}

interface Position {
  xAdvance: number;
  yAdvance: number;
  xOffset: number;
  yOffset: number;
}

/** The glyphs of one or more letters that cannot be drawn apart. */
export interface Cluster {
  text: string;
  glyphs: readonly Glyph[];
  positions: readonly Position[];
}

/** What fontkit's layout returns: pdfkit scales the positions and then reads their sum. */
function layoutOf(clusters: readonly Cluster[]) {
  const positions = clusters.flatMap((cluster) => cluster.positions.map((position) => ({ ...position })));
  return {
    glyphs: clusters.flatMap(({ glyphs }) => glyphs),
    positions,
    get advanceWidth() {
      return positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0);
    },
  };
}

export class ShapedFont {
  /** To be given to pdfkit as a font. */
  readonly forPdf: Font;
  /** Of the font size. */
  readonly ascent: number;
  private readonly shaping: harfbuzz.Font;
  private readonly unitsPerEm: number;

  constructor(path: string) {
    const file = readFileSync(path);
    const font = create(file) as Font;
    this.shaping = new harfbuzz.Font(new harfbuzz.Face(new harfbuzz.Blob(file)));
    this.unitsPerEm = font.unitsPerEm;
    this.ascent = font.ascent / font.unitsPerEm;
    // pdfkit passes on a text's features unread, so clusters that are shaped already can be among them.
    const layout = (text: string, features: readonly (string | Cluster)[] = []) => {
      const shaped = features.filter((feature) => typeof feature !== "string");
      return layoutOf(
        shaped.length > 0
          ? shaped
          : this.shape(
              text,
              false,
              features.filter((feature) => typeof feature === "string"),
            ),
      );
    };
    this.forPdf = Object.create(font, { layout: { value: layout } }) as Font;
  }

  has(character: string): boolean {
    return this.forPdf.hasGlyphForCodePoint(character.codePointAt(0)!);
  }

  /** Of the font size. */
  widthOf(clusters: readonly Cluster[]): number {
    return layoutOf(clusters).advanceWidth / this.unitsPerEm;
  }

  /** A text of one direction, in the order in which it is drawn: from the left. */
  shape(text: string, isRightToLeft: boolean, features: readonly string[] = []): Cluster[] {
    const buffer = new harfbuzz.Buffer();
    buffer.addText(text);
    buffer.guessSegmentProperties();
    buffer.setDirection(isRightToLeft ? harfbuzz.Direction.RTL : harfbuzz.Direction.LTR);
    harfbuzz.shape(
      this.shaping,
      buffer,
      features.map((tag) => new harfbuzz.Feature(tag)),
    );
    const drawn = Map.groupBy(buffer.getGlyphInfosAndPositions(), ({ cluster }) => cluster);
    const starts = [...drawn.keys()].toSorted((one, other) => one - other);
    const ends = new Map(starts.map((start, index) => [start, starts[index + 1] ?? text.length]));
    return Array.from(drawn, ([start, glyphs]) => {
      const letters = text.slice(start, ends.get(start));
      // A bracket of a text from the right is drawn as its counterpart, and copied as what is seen.
      const seen = isRightToLeft ? (bidi.getMirroredCharacter(letters) ?? letters) : letters;
      return {
        text: letters,
        glyphs: glyphs.map(({ codepoint: id }, index) => ({
          id,
          advanceWidth: this.shaping.glyphHAdvance(id),
          codePoints: index === 0 ? Array.from(seen, (letter) => letter.codePointAt(0)!) : [],
        })),
        positions: glyphs.map(({ xAdvance = 0, yAdvance = 0, xOffset = 0, yOffset = 0 }) => ({ xAdvance, yAdvance, xOffset, yOffset })),
      };
    });
  }
}
