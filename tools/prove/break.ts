/** One line of the product, broken, and the test that must notice. */
export interface Break {
  /** The beginning of the row's first cell in docs/coverage.md, as much as no other row begins with. */
  row: string;
  /** The file that is broken, and the text in it that occurs there once, on one line. */
  file: string;
  line: string;
  by: string;
  /** One of the row's test files, and the test's title as the row quotes it, where it does. Without one any test of the file may notice. */
  test: string;
  title?: string;
}

/** Why a row cannot be broken by this command. */
export const reasons = {
  engine: "its tests run a real engine or the whole program, for minutes each",
  many: "it is about all of something, not about one line",
} as const;

export interface Unproved {
  row: string;
  why: keyof typeof reasons;
}

/** As `line` and `by` are shown, and how a break is named. */
export const nameOf = ({ file, line, by }: Break): string => `${file}: ${line.trim()} → ${by.trim()}`;
