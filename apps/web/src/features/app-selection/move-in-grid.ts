/** The position to which an arrow key moves in a grid that fills row by row; null for other keys. */
export function moveInGrid(key: string, { at, count, columns }: { at: number; count: number; columns: number }): number | null {
  if (count === 0) return null;
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: 1,
    ArrowLeft: -1,
    ArrowDown: columns,
    ArrowUp: -columns,
    PageDown: 6 * columns,
    PageUp: -6 * columns,
    Home: -count,
    End: count,
  };
  const step = steps[key];
  return step === undefined ? null : Math.min(count - 1, Math.max(0, at + step));
}
