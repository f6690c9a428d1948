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
  /** Single measured numbers that the README's pictures need. */
  figures?: Figures;
}

/** What the pictures show, in ms and MB. */
export interface Figures {
  /** From the click to an answer through the gateway, without a pool. */
  coldLaunchMs?: number;
  /** The same, of a workspace from the pool. */
  poolLaunchMs?: number;
  /** The bare engine's first start. */
  bareStartMs?: number;
  bareMb?: number;
  awakeMb?: number;
  /** Resident, of a frozen workspace. */
  asleepMb?: number;
  /** What its paged-out memory takes compressed. */
  asleepCompressedMb?: number;
}
