/** Versions of an engine, compared by their numbers. */

/** Whether the database would have to be downgraded: restoring into an older release works partly at best. */
export function isNewer(version: string, than: string): boolean {
  const [one, other] = [version, than].map((each) => each.split(/[.-]/).map(Number));
  for (const index of [0, 1, 2]) {
    const difference = (one![index] ?? 0) - (other![index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}
