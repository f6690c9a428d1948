export interface CoverageRow {
  /** Its first cell. */
  promise: string;
  /** The tests that it names, each with the quoted titles. */
  tests: { file: string; titles: string[] }[];
}

/** The rows of docs/coverage.md that name tests. */
export function readRows(page: string): CoverageRow[] {
  return page.split("\n").flatMap((line) => {
    const [, promise, proof] = /^\| (.+?) \| (.+) \|$/.exec(line) ?? [];
    if (promise === undefined || proof === undefined || proof === "Proof" || proof === "Test") return [];
    return [{ promise, tests: readTests(proof) }];
  });
}

function readTests(proof: string): CoverageRow["tests"] {
  const tests: CoverageRow["tests"] = [];
  for (const [, file, title] of proof.matchAll(/`([\w./-]+\.ts)`|"([^"]+)"/g))
    if (file !== undefined) tests.push({ file, titles: [] });
    else tests.at(-1)?.titles.push(title!);
  return tests;
}

/** The row that begins so; throws unless it is one. */
export function rowOf(rows: readonly CoverageRow[], beginning: string): CoverageRow {
  const exact = rows.filter(({ promise }) => promise === beginning);
  const found = exact.length > 0 ? exact : rows.filter(({ promise }) => promise.startsWith(beginning));
  if (found.length !== 1) throw new Error(`${found.length} rows of docs/coverage.md begin with "${beginning}"`);
  return found[0]!;
}
