import { expect, test } from "vitest";
import { MalformedResponse, ResponseReader } from "./response-reader.ts";

/** Reads the bytes in pieces of the given size, and says what was understood. */
function readInPieces(bytes: string, pieceLength: number, isHeadRequest = false) {
  const seen = { heads: [] as [number, string, string[]][], body: "", used: 0, isDone: false, isReusable: false };
  const reader = new ResponseReader();
  reader.begin(
    {
      onHead: (statusCode, message, headers) => void seen.heads.push([statusCode, message, headers]),
      onData: (chunk) => void (seen.body += chunk.toString("latin1")),
    },
    isHeadRequest,
  );
  const all = Buffer.from(bytes, "latin1");
  for (let at = 0; at < all.length && !reader.isDone; at += pieceLength) seen.used += reader.read(all.subarray(at, at + pieceLength));
  return { ...seen, isDone: reader.isDone, isReusable: reader.isReusable, endsHere: reader.endsHere() };
}

const pieceLengths = [1, 2, 3, 7, 1000];

test.each([
  ["a length", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-A:  b \r\n\r\nhello", "hello", true],
  ["chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n", "hello", true],
  ["chunks and trailers", "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n5\r\nhello\r\n0\r\nX-Sum: 1\r\n\r\n", "hello", true],
  ["bytes of line ends in chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n\r\n\r\n\r\n0\r\n\r\n", "\r\n\r\n", true],
  ["interim heads before it", "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", "ok", true],
  ["no body, 204", "HTTP/1.1 204 No Content\r\n\r\n", "", true],
  ["no body, 304 with a length", "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", "", false],
  ["a connection that will close", "HTTP/1.1 200 OK\r\nConnection: x, Close\r\nContent-Length: 2\r\n\r\nok", "ok", false],
  ["HTTP/1.0", "HTTP/1.0 200\r\nContent-Length: 2\r\n\r\nok", "ok", false],
])("a response with %s is read alike in pieces of any size", (_what, bytes, body, isReusable) => {
  for (const pieceLength of pieceLengths) {
    const seen = readInPieces(bytes, pieceLength);
    expect(seen).toMatchObject({ body, isDone: true, isReusable, used: bytes.length });
    expect(seen.heads).toHaveLength(1);
  }
});

test("headers keep their order, spelling and bytes; only whitespace around values is dropped", () => {
  const head = "HTTP/1.1 299 Own Words\r\nX-One: a\r\nx-one:\t b c\t\r\nEmpty:\r\nX-Latin: \xa0\xe4\xa0\r\nContent-Length: 0\r\n\r\n";
  for (const pieceLength of pieceLengths)
    expect(readInPieces(head, pieceLength).heads).toEqual([
      [299, "Own Words", ["X-One", "a", "x-one", "b c", "Empty", "", "X-Latin", "\xa0\xe4\xa0", "Content-Length", "0"]],
    ]);
});

test("bytes after a response are not read as part of it", () => {
  const one = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
  expect(readInPieces(`${one}HTTP/1.1 200 OK\r\n\r\n`, 1000)).toMatchObject({ body: "ok", used: one.length, isDone: true });
});

test("the response to HEAD has no body, whatever its length, and its connection is not used again", () => {
  expect(readInPieces("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", 1000, true)).toMatchObject({
    body: "",
    isDone: true,
    isReusable: false,
  });
});

test("without a length or chunks, the body lasts until the connection closes", () => {
  expect(readInPieces("HTTP/1.1 200 OK\r\n\r\nhello", 3)).toMatchObject({
    body: "hello",
    isDone: false,
    endsHere: true,
    isReusable: false,
  });
});

test.each([
  ["a length", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell"],
  ["chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"],
  ["an incomplete head", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n"],
])("a close does not complete a response with %s", (_what, bytes) => {
  expect(readInPieces(bytes, 1000).endsHere).toBe(false);
});

const ok = "HTTP/1.1 200 OK\r\n";
test.each([
  ["another protocol", "SSH-2.0-OpenSSH\r\n\r\n"],
  ["another version", "HTTP/2.0 200 OK\r\n\r\n"],
  ["a status that is not a number", "HTTP/1.1 2x0 OK\r\n\r\n"],
  ["a status below 100", "HTTP/1.1 099 OK\r\n\r\n"],
  ["an upgrade that was not requested", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"],
  ["two lengths", `${ok}Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello`],
  ["a list of lengths", `${ok}Content-Length: 5, 5\r\n\r\nhello`],
  ["a signed length", `${ok}Content-Length: +5\r\n\r\nhello`],
  ["a length with chunks", `${ok}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  ["a coding that is not chunks", `${ok}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
  ["chunks twice", `${ok}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  ["chunks in HTTP/1.0", "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"],
  ["a line without a colon", `${ok}nonsense\r\n\r\n`],
  ["a header without a name", `${ok}: value\r\n\r\n`],
  ["a blank in a header's name", `${ok}X A: value\r\n\r\n`],
  ["a control character in a value", `${ok}X-A: \x01\r\n\r\n`],
  ["a control character in the reason", "HTTP/1.1 200 O\x01K\r\n\r\n"],
  ["a bare carriage return", `${ok}X-A: a\rb\r\n\r\n`],
  ["a bare line feed", `${ok}X-A: a\nb: c\r\n\r\n`],
  ["a chunk without a size", `${ok}Transfer-Encoding: chunked\r\n\r\nzz\r\n`],
  ["a negative chunk", `${ok}Transfer-Encoding: chunked\r\n\r\n-1\r\n`],
  ["a hexadecimal prefix", `${ok}Transfer-Encoding: chunked\r\n\r\n0x5\r\nhello\r\n`],
  ["a chunk longer than its size", `${ok}Transfer-Encoding: chunked\r\n\r\n2\r\nhello\r\n`],
  ["a bare line feed after a chunk's size", `${ok}Transfer-Encoding: chunked\r\n\r\n5\nhello\r\n`],
  ["an endless head", `${ok}X-Long: ${"a".repeat(70_000)}\r\n\r\n`],
  ["an endless line of a chunk", `${ok}Transfer-Encoding: chunked\r\n\r\n5;${"a".repeat(2000)}\r\n`],
  ["endless trailers", `${ok}Transfer-Encoding: chunked\r\n\r\n0\r\n${"X-A: 1234567890\r\n".repeat(6000)}`],
])("a response with %s is refused", (_trick, bytes) => {
  for (const pieceLength of [1, 1000]) expect(() => readInPieces(bytes, pieceLength)).toThrow(MalformedResponse);
});
