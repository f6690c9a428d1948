import { expect, test } from "vitest";
import { requestHeaders } from "./request-headers.ts";

const forwarding = { clientAddress: "203.0.113.9", scheme: "https", host: "acme.example.com" } as const;
const set = [
  "x-forwarded-for",
  "203.0.113.9",
  "x-forwarded-proto",
  "https",
  "x-forwarded-host",
  "acme.example.com",
  "x-forwarded-port",
  "443",
  "x-real-ip",
  "203.0.113.9",
  "forwarded",
  'for=203.0.113.9;host="acme.example.com";proto=https',
];
const passedOn = (raw: string[], connection?: string) => requestHeaders(raw, connection, forwarding).slice(0, -set.length);

test("forwarded headers are set from the connection", () => {
  expect(requestHeaders([], undefined, forwarding)).toEqual(set);
});

test("an explicit port and an IPv6 address are forwarded correctly", () => {
  const headers = requestHeaders([], undefined, { clientAddress: "2001:db8::1", scheme: "http", host: "acme.localhost:3000" });
  expect(headers).toContain("3000");
  expect(headers.at(-1)).toBe('for="[2001:db8::1]";host="acme.localhost:3000";proto=http');
});

test.each([
  "X-Forwarded-For",
  "x-forwarded-proto",
  "X-FORWARDED-HOST",
  "x-forwarded-port",
  "x-forwarded-prefix",
  "X-Real-IP",
  "Forwarded",
  "X-Slipway-Probe",
  "x-slipway-anything",
  "Connection",
  "Keep-Alive",
  "Proxy-Connection",
  "Proxy-Authorization",
  "TE",
  "Trailer",
  "Transfer-Encoding",
  "Upgrade",
  "HTTP2-Settings",
  "Expect",
])("%s from outside never reaches a workspace", (name) => {
  expect(passedOn([name, "anything"])).toEqual([]);
});

test("everything else passes unchanged, repeated headers and spelling included", () => {
  const raw = [
    "Host",
    "acme.example.com",
    "Accept",
    "a",
    "Accept",
    "b",
    "X-Custom",
    "täst",
    "Authorization",
    "Bearer x",
    "Content-Length",
    "5",
  ];
  expect(passedOn(raw)).toEqual(raw);
});

test("headers named by Connection are dropped, except those that frame or route the message", () => {
  const raw = ["Host", "acme.example.com", "X-Hop", "1", "Content-Length", "5", "Cookie", "a=1"];
  expect(passedOn(raw, "close, X-Hop, Host, content-length")).toEqual(["Host", "acme.example.com", "Content-Length", "5", "Cookie", "a=1"]);
});

test.each([
  ["token=secret", null],
  ["__Host-token=secret", null],
  ["a=1; token=secret; b=2", "a=1; b=2"],
  ["token=secret; a=1", "a=1"],
  ["a=1;token=secret;__Host-token=x;b=token", "a=1;b=token"],
  ["token", null],
  ["slipway-browser=secret", null],
  ["a=1; __Host-slipway-browser=secret; browser=2", "a=1; browser=2"],
  ["a=1; token =secret", "a=1"],
  ["csrf-token=1; mytoken=2; token2=3; Token=4", "csrf-token=1; mytoken=2; token2=3; Token=4"],
  ["n8n-auth=abc", "n8n-auth=abc"],
])("of the cookies %s the workspace sees %s", (cookie, expected) => {
  expect(passedOn(["Cookie", cookie])).toEqual(expected === null ? [] : ["Cookie", expected]);
});
