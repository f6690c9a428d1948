/** Raw requests crafted to be read differently by two parsers. None may reach a workspace. */
import { expect, test } from "vitest";
import { exchange, startPair } from "#testing/network/start-test-gateway.ts";

const head = "Host: acme.localhost\r\nConnection: close\r\n";
const hidden = "GET /hidden HTTP/1.1\r\nHost: acme.localhost\r\n\r\n";

test.each([
  ["a length before chunks", `POST / HTTP/1.1\r\n${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`],
  ["chunks before a length", `POST / HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n${hidden}`],
  ["two lengths", `POST / HTTP/1.1\r\n${head}Content-Length: 0\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`],
  ["a list of lengths", `POST / HTTP/1.1\r\n${head}Content-Length: 0, ${hidden.length}\r\n\r\n${hidden}`],
  ["a signed length", `POST / HTTP/1.1\r\n${head}Content-Length: +5\r\n\r\nhello`],
  ["a hexadecimal length", `POST / HTTP/1.1\r\n${head}Content-Length: 0x5\r\n\r\nhello`],
  ["a coding that is not chunks", `POST / HTTP/1.1\r\n${head}Transfer-Encoding: identity\r\n\r\n${hidden}`],
  ["a coding in front of chunks", `POST / HTTP/1.1\r\n${head}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
  ["chunks twice", `POST / HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  ["a misspelt coding", `POST / HTTP/1.1\r\n${head}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`],
  ["a space before the colon", `POST / HTTP/1.1\r\n${head}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`],
  ["a folded header", `POST / HTTP/1.1\r\n${head}Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n`],
  ["a bare line feed in the head", `GET / HTTP/1.1\nHost: acme.localhost\nContent-Length: 0\n\n`],
  ["an invalid chunk size", `POST / HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n`],
  ["two hosts", `GET / HTTP/1.1\r\n${head}Host: other.localhost\r\n\r\n`],
  ["no host", "GET / HTTP/1.1\r\nConnection: close\r\n\r\n"],
  ["a foreign target", `GET http://other.localhost/ HTTP/1.1\r\n${head}\r\n`],
  ["a target without a slash", `OPTIONS * HTTP/1.1\r\n${head}\r\n`],
  ["a null byte in a value", `GET / HTTP/1.1\r\n${head}X-Bad: a\0b\r\n\r\n`],
])("%s is refused and the workspace sees nothing", async (_trick, bytes) => {
  const seen: string[] = [];
  await using front = await startPair((req, res) => {
    seen.push(req.url!);
    res.end();
  });
  const text = await exchange(front.port, bytes, "\r\n\r\n");
  expect(text).toMatch(/^HTTP\/1\.1 (400|404)/);
  expect(seen).toEqual([]);
});

test("a body that looks like a request stays a body", async () => {
  const seen: string[] = [];
  await using front = await startPair((req, res) => {
    seen.push(req.url!);
    void req.pipe(res);
  });
  const text = await exchange(front.port, `POST /outer HTTP/1.1\r\n${head}Content-Length: ${hidden.length}\r\n\r\n${hidden}`);
  expect(text).toContain(hidden);
  expect(seen).toEqual(["/outer"]);
});

test("successive requests on a connection go to the hosts they name", async () => {
  await using front = await startPair((_req, res) => res.end("acme's"));
  const text = await exchange(
    front.port,
    `GET / HTTP/1.1\r\nHost: acme.localhost\r\n\r\nGET / HTTP/1.1\r\nHost: other.localhost\r\nConnection: close\r\n\r\n`,
  );
  expect(text.match(/HTTP\/1\.1 (\d+)/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 404"]);
});

test("an upgrade to anything but a WebSocket is answered as a plain request", async () => {
  await using front = await startPair((req, res) => res.end(JSON.stringify(req.headers)));
  const text = await exchange(
    front.port,
    `GET / HTTP/1.1\r\nHost: acme.localhost\r\nConnection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAA\r\n\r\n`,
    '"}',
  );
  expect(text).toMatch(/^HTTP\/1\.1 200/);
  expect(text).not.toContain("h2c");
});
