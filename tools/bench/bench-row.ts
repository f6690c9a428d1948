/** One line of `npm run bench`: a ratio against a baseline measured in the same run, beside its budget. */
export interface BenchRow {
  what: string;
  /** Null if it could not be measured here; `detail` says why. */
  ratio: number | null;
  /** In words, such as "≥ 0.5". */
  budget: string;
  /** Null with the ratio. */
  ok: boolean | null;
  /** The raw numbers behind the ratio. */
  detail: string;
}
