/** Values on which programs stumble, for every place in a request that takes a value. */
import type { SeededChoices } from "#platform/seeded-random.ts";

export const hostileStrings: readonly string[] = [
  "",
  " ",
  "\t\n",
  "0",
  "-1",
  "NaN",
  "null",
  "true",
  "1e999",
  "9".repeat(400),
  "%",
  "%00",
  "%ff%fe",
  "%2e%2e%2f",
  "\u0000",
  "a\u0000b",
  "nul\u0000@example.com",
  "\ud800",
  "x\udfffy",
  "\ufeff",
  "\uffff",
  "\u202egnp.exe",
  "\u200b\u2060",
  "e\u0301".repeat(50),
  "👩‍👩‍👧‍👦🧨",
  "😀".repeat(120),
  "ﷺ".repeat(60),
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "then",
  "length",
  "' or 1=1 --",
  "'; drop table users; --",
  "\\",
  '"',
  "`id`",
  "$(id)",
  "${7*7}",
  "{{7*7}}",
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "../../../../etc/passwd",
  "/etc/passwd",
  "file:///etc/passwd",
  "//evil.example",
  "javascript:alert(1)",
  "http://169.254.169.254/",
  "\r\nSet-Cookie: token=x",
  "a\r\n\r\nb",
  "a@b.co",
  '"a b"@example.com',
  "a@" + "b.".repeat(120) + "co",
  "a".repeat(300) + "@example.com",
  "ada@exämple.com",
  "ada@example.com,eve@example.com",
  "ada@example.com\nbcc:eve@example.com",
  "00000000-0000-0000-0000-000000000000",
  "ffffffff-ffff-ffff-ffff-ffffffffffff",
  "2026-13-45T99:99:99Z",
  "0000-01-01T00:00:00Z",
  "9999-12-31T23:59:59.999Z",
  "Etc/UTC",
  "+02:00",
  "v1.AAAA",
  "v1.",
  "..",
  "a.b.c",
  "eyJhbGciOiJub25lIn0.e30.",
  "a".repeat(63),
  "a".repeat(65),
  "a".repeat(255),
  "a".repeat(5_000),
  "a".repeat(100_000),
  "(a+)+$" + "a".repeat(40) + "!",
  "[".repeat(3_000),
];

const hostileNumbers: readonly number[] = [
  0,
  -0,
  -1,
  1.5,
  0.1 + 0.2,
  99,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  -(2 ** 53),
  2 ** 63,
  2 ** 64,
  1e21,
  1e308,
  -1e308,
  5e-324,
];

const nested = (depth: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
};

/** Keys that every object inherits, as own keys, as a parser would make them. */
const inheriting = (value: unknown): unknown =>
  Object.fromEntries([
    ["__proto__", value],
    ["constructor", { prototype: { admin: true } }],
    ["toString", 1],
    ["a", value],
  ]);

/** A value that no field expects. */
function hostileValue(random: SeededChoices): unknown {
  switch (random.below(9)) {
    case 0:
      return random.pick([null, true, false]);
    case 1:
      return random.pick(hostileNumbers);
    case 2:
      return random.pick([[], [[]], {}, [null], [{}], { length: 3, 0: "a" }]);
    case 3:
      return nested(random.pick([3, 60, 1_500]));
    case 4:
      return inheriting(random.pick(hostileStrings));
    case 5:
      return Array.from({ length: random.pick([2, 51, 2_000]) }, () => random.pick(hostileStrings.slice(0, 40)));
    case 6:
      return Object.fromEntries(Array.from({ length: random.pick([5, 3_000]) }, (_, at) => [`k${at}`, at]));
    default:
      return random.pick(hostileStrings);
  }
}

type Place = { holder: Record<string, unknown> | unknown[]; key: string };

function placesOf(value: unknown, into: Place[] = []): Place[] {
  if (typeof value !== "object" || value === null) return into;
  for (const key of Object.keys(value)) {
    into.push({ holder: value as Place["holder"], key });
    if (into.length < 200) placesOf((value as Record<string, unknown>)[key], into);
  }
  return into;
}

/** Breaks a value in some places: replaced, left out, doubled, wrapped, or with an unexpected member added. */
export function breakValue(whole: unknown, random: SeededChoices): unknown {
  if (random.percent(10)) return hostileValue(random);
  const value = structuredClone(whole);
  for (let times = 1 + random.below(2); times > 0; times -= 1) {
    const places = placesOf(value);
    if (places.length === 0 || random.percent(10)) {
      if (typeof value !== "object" || value === null) return hostileValue(random);
      Object.defineProperty(value, random.pick(["extra", "__proto__", "constructor", "isAdmin", "accountId", "id", "a\u0000"]), {
        value: hostileValue(random),
        enumerable: true,
        configurable: true,
        writable: true,
      });
      continue;
    }
    const { holder, key } = random.pick(places);
    const held = (holder as Record<string, unknown>)[key];
    if (random.percent(12)) Reflect.deleteProperty(holder, key);
    else
      (holder as Record<string, unknown>)[key] = random.percent(10)
        ? [held]
        : random.percent(40)
          ? random.pick(hostileStrings)
          : hostileValue(random);
  }
  return value;
}
