/** Calendar arithmetic in UTC. */

/** Adds calendar months. If the resulting month is shorter, the result is its last day: 31 January plus one month is 28 or 29 February. */
export function addMonths(at: Date, months: number): Date {
  const moved = new Date(at);
  moved.setUTCDate(1);
  moved.setUTCMonth(moved.getUTCMonth() + months);
  const daysInMonth = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate();
  moved.setUTCDate(Math.min(at.getUTCDate(), daysInMonth));
  return moved;
}
