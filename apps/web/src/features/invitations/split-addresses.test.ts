import { expect, test } from "vitest";
import { endsAddress, splitAddresses } from "./split-addresses.ts";

test.each([
  ["one", "bob@example.com", ["bob@example.com"]],
  ["commas", "bob@example.com, carl@example.com", ["bob@example.com", "carl@example.com"]],
  ["semicolons", "bob@example.com;carl@example.com;", ["bob@example.com", "carl@example.com"]],
  [
    "lines of a spreadsheet",
    "bob@example.com\r\ncarl@example.com\tdora@example.com\n",
    ["bob@example.com", "carl@example.com", "dora@example.com"],
  ],
  ["spaces", "bob@example.com carl@example.com", ["bob@example.com", "carl@example.com"]],
  ["names", "Bob Builder <bob@example.com>, <carl@example.com>", ["bob@example.com", "carl@example.com"]],
  ["quoted names with commas", '"Doe, Jane" <jane@example.com>; "O\'Neil; Pat" <pat@example.com>', ["jane@example.com", "pat@example.com"]],
  ["a quote that never ends", '"Doe <jane@example.com>\nbob@example.com', ["jane@example.com", "bob@example.com"]],
  ["capitals, and one twice", "Bob@Example.com, bob@example.com", ["bob@example.com"]],
  ["addresses of links", "mailto:bob@example.com", ["bob@example.com"]],
  ["nothing", " ,; \n ", []],
  ["what is no address stays, to be corrected", "jane doe, bob@, <>, x", ["jane doe", "bob@", "<>", "x"]],
])("%s", (_what, text, addresses) => {
  expect(splitAddresses(text)).toEqual(addresses);
});

test.each([
  ["bob@example.com", false],
  ["bob@example.com,", true],
  ["bob@example.com ", true],
  ["Bob Bui", false],
  ["Bob Builder ", false],
  ["Bob <bob@example.com ", false],
  ["bob@example.com\ncarl", true],
])("typing %j ends an address: %s", (text, ends) => {
  expect(endsAddress(text)).toBe(ends);
});

test("a long pasted text is split immediately", () => {
  const text = `${"<".repeat(50_000)}${"a@b.co ".repeat(20_000)}`;
  const before = process.cpuUsage();
  splitAddresses(text);
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(5_000);
});
