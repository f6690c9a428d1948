/** The base address of each service, by the prefix of a call's path: one module, so that services can move to other hosts. */
const bases: readonly (readonly [prefix: string, base: string])[] = [
  ["/instance", "/api/instance"],
  ["/v1/paddle", "/api/v1/paddle"],
  ["", "/api"],
];

/** The API's reference, which the service makes of the contract. */
export const apiReference = "/api/docs";

/** The address of a call by its path in the contract; the first base that fits counts. */
export function addressOf(path: string, among = bases): string {
  const [prefix, base] = among.find(([start]) => `${path}/`.startsWith(`${start}/`) || !start)!;
  return base + path.slice(prefix.length);
}
