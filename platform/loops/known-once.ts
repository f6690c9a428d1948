/** Asks when it is first called and keeps the answer for all later calls. A failure is not kept: the next call asks again. */
export function knownOnce<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let known: Promise<Answer> | undefined;
  return () => {
    known ??= ask().catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };
}
