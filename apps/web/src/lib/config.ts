/** Where each service is: one module, so that they can be split over hosts. By the beginning of a call's path. */
const bases: readonly (readonly [prefix: string, base: string])[] = [
  ["/instance", "/api/instance"],
  ["/v1/paddle", "/api/v1/paddle"],
  ["", "/api"],
];

/** The address of a call by its path in the contract; the first base that fits counts. */
export function addressOf(path: string, among = bases): string {
  const [prefix, base] = among.find(([start]) => `${path}/`.startsWith(`${start}/`) || !start)!;
  return base + path.slice(prefix.length);
}
