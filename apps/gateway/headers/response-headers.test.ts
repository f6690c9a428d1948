import { expect, test } from "vitest";
import { hostOnlyCookie, responseHeaders } from "./response-headers.ts";

test.each([
  ["a=1; Domain=example.com; Path=/", "a=1; Path=/"],
  ["a=1; domain=.app.example.com", "a=1"],
  ["a=1;DOMAIN = acme.app.example.com ;Secure", "a=1;Secure"],
  ["a=1; Domain; HttpOnly", "a=1; HttpOnly"],
  ["a=1; Domain=x; Domain=y", "a=1"],
  ["a=1; Path=/domain; SameSite=Lax", "a=1; Path=/domain; SameSite=Lax"],
  ["domain=1; Path=/", "domain=1; Path=/"],
  ["a=1; X-Domain=5", "a=1; X-Domain=5"],
])("the cookie %s stays with its own host as %s", (cookie, expected) => {
  expect(hostOnlyCookie(cookie)).toBe(expected);
});

test.each([
  "Connection",
  "Keep-Alive",
  "Transfer-Encoding",
  "Trailer",
  "Upgrade",
  "Proxy-Authenticate",
  "Clear-Site-Data",
  "Strict-Transport-Security",
  "Alt-Svc",
  "X-Slipway-Anything",
])("%s in a workspace's response does not reach the visitor", (name) => {
  expect(responseHeaders([name, "anything"], 200).headers).toEqual([]);
});

test("all other raw headers pass unchanged", () => {
  const raw = ["Content-Type", "text/html", "Set-Cookie", "a=1", "Set-Cookie", "b=2", "X-Latin", "\xe4"].map((text) =>
    Buffer.from(text, "latin1"),
  );
  expect(responseHeaders(raw, 200).headers).toEqual([
    "Content-Type",
    "text/html",
    "Set-Cookie",
    "a=1",
    "Set-Cookie",
    "b=2",
    "X-Latin",
    "\xe4",
  ]);
});

test("headers named by the response's Connection are dropped, wherever Connection appears", () => {
  expect(responseHeaders(["X-Hop", "1", "Connection", "close, x-hop", "X-End", "2"], 200).headers).toEqual(["X-End", "2"]);
});

test("a length is kept only if it frames the body", () => {
  expect(responseHeaders(["Content-Length", "5"], 200)).toEqual({ headers: ["content-length", "5"], contentLength: 5 });
  expect(responseHeaders(["Content-Length", "5", "Transfer-Encoding", "chunked"], 200)).toEqual({ headers: [], contentLength: null });
  expect(responseHeaders(["Content-Length", "5"], 204)).toEqual({ headers: [], contentLength: null });
});
