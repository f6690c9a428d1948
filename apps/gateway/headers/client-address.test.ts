import { expect, test } from "vitest";
import { clientAddress, siteOf } from "./client-address.ts";

test.each([
  ["headers are ignored without trusted proxies", "203.0.113.9", "1.1.1.1", 0, "203.0.113.9"],
  ["an IPv4-mapped IPv6 address becomes IPv4", "::ffff:203.0.113.9", undefined, 0, "203.0.113.9"],
  ["one trusted proxy: the rightmost entry", "10.0.0.1", "6.6.6.6, 203.0.113.9", 1, "203.0.113.9"],
  ["two trusted proxies: the second from the right", "10.0.0.1", "6.6.6.6, 203.0.113.9, 10.0.0.2", 2, "203.0.113.9"],
  ["a chain shorter than expected: its leftmost entry", "10.0.0.1", "203.0.113.9", 2, "203.0.113.9"],
  ["no header: the connection's address", "10.0.0.1", undefined, 1, "10.0.0.1"],
  ["an invalid entry: the connection's address", "10.0.0.1", "unknown", 1, "10.0.0.1"],
  ["a port is removed", "10.0.0.1", "203.0.113.9:5555", 1, "203.0.113.9"],
  ["brackets and port are removed", "10.0.0.1", "[2001:db8::1]:5555", 1, "2001:db8::1"],
  ["an IPv6 address stays", "::1", undefined, 0, "::1"],
])("%s", (_promise, connection, header, hops, expected) => {
  expect(clientAddress(connection, header, hops)).toBe(expected);
});

test.each([
  ["203.0.113.9", "203.0.113.9"],
  ["2001:db8:7:1::1", "2001:db8:7"],
  ["2001:DB8:0007:ffff:1:2:3:4", "2001:db8:7"],
  ["::1", "0:0:0"],
])("the address %s belongs to the site %s", (address, site) => {
  expect(siteOf(address)).toBe(site);
});
