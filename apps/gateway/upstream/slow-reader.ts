/** A visitor who takes longer over an answer than its workspace, which keeps the rest in memory until it has been read. */

/** Half a megabit: a slower connection is rare today, and at a lower rate an attack costs next to nothing. */
const slowBytesPerSecond = 64 * 1024;
/** Of the time in which a rate is measured: in the first moment the system takes megabytes, whoever reads. */
const fillShare = 1 / 20;

export class SlowReader {
  /** Ends the answer, and gives back all that it took. */
  readonly breakOff: () => void;
  readonly #measuredMs: number;
  #fromMs: number;
  #bytes = 0;
  #lastRate = Infinity;

  /** Since now, the workspace waits for this visitor, whose rate is measured each time for so long. */
  constructor(measuredMs: number, breakOff: () => void) {
    this.breakOff = breakOff;
    this.#measuredMs = measuredMs;
    this.#fromMs = performance.now() + measuredMs * fillShare;
  }

  noteTaken(bytes: number): void {
    const nowMs = performance.now();
    if (nowMs < this.#fromMs) return;
    this.#bytes += bytes;
    this.#measure(nowMs);
  }

  /** In bytes a second; null if that is not slow, or it is too early to tell. */
  slowRate(): number | null {
    this.#measure(performance.now());
    return this.#lastRate < slowBytesPerSecond ? this.#lastRate : null;
  }

  #measure(nowMs: number): void {
    const ms = nowMs - this.#fromMs;
    if (ms < this.#measuredMs) return;
    this.#lastRate = (this.#bytes * 1000) / ms;
    this.#fromMs = nowMs;
    this.#bytes = 0;
  }
}

/** The one that holds its workspace up for longest; null if none is slow. */
export function slowestOf(readers: Iterable<SlowReader>): SlowReader | null {
  let slowest: { reader: SlowReader; rate: number } | null = null;
  for (const reader of readers) {
    const rate = reader.slowRate();
    if (rate !== null && rate < (slowest?.rate ?? Infinity)) slowest = { reader, rate };
  }
  return slowest?.reader ?? null;
}
