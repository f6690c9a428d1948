/** Calendar arithmetic in UTC. */

/** Calendar months later, at the last day of a month that is too short: 31 January and one month is 28 or 29 February. */
export function addMonths(at: Date, months: number): Date {
  const moved = new Date(at);
  moved.setUTCDate(1);
  moved.setUTCMonth(moved.getUTCMonth() + months);
  const daysInMonth = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate();
  moved.setUTCDate(Math.min(at.getUTCDate(), daysInMonth));
  return moved;
}
