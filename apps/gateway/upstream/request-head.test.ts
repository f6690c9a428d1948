import { expect, test } from "vitest";
import { MalformedRequest, requestHead } from "./request-head.ts";

const get = { method: "GET", path: "/", headers: ["Host", "acme.localhost"], hasBody: false };
const start = "connection: keep-alive\r\nHost: acme.localhost\r\n";

test.each([
  ["no body", {}, `GET / HTTP/1.1\r\n${start}\r\n`],
  ["a body of unknown length", { method: "DELETE", hasBody: true }, `DELETE / HTTP/1.1\r\n${start}transfer-encoding: chunked\r\n\r\n`],
  ["a method that expects a body, and none", { method: "POST" }, `POST / HTTP/1.1\r\n${start}content-length: 0\r\n\r\n`],
  ["HEAD, after which the connection closes", { method: "HEAD" }, `HEAD / HTTP/1.1\r\nconnection: close\r\nHost: acme.localhost\r\n\r\n`],
])("the head of a request with %s is complete", (_what, more, expected) => {
  expect(requestHead({ ...get, ...more })).toBe(expected);
});

test("a length is written once, as a plain number", () => {
  expect(requestHead({ ...get, method: "PUT", headers: ["Content-Length", "005"], hasBody: true })).toBe(
    "PUT / HTTP/1.1\r\nconnection: keep-alive\r\nContent-Length: 5\r\n\r\n",
  );
});

test.each([
  ["a line end in the target", { path: "/a\r\nX: y" }],
  ["a space in the target", { path: "/a b" }],
  ["a space in the method", { method: "GET /x" }],
  ["a line end in a value", { headers: ["X-A", "a\r\nX-B: b"] }],
  ["a null byte in a value", { headers: ["X-A", "a\0"] }],
  ["a character beyond Latin-1 in a value", { headers: ["X-A", "\u010a"] }],
  ["a space in a name", { headers: ["X A", "a"] }],
  ["an empty name", { headers: ["", "a"] }],
  ["two lengths", { headers: ["Content-Length", "1", "content-length", "1"] }],
  ["a length that is no number", { headers: ["Content-Length", "0x1"] }],
])("%s is refused", (_trick, more) => {
  expect(() => requestHead({ ...get, ...more })).toThrow(MalformedRequest);
});
