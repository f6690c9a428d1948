import { expect, test } from "vitest";
import { lineUp } from "./longest-first.ts";

const file = (name: string, seconds: number, shares: boolean) => ({ name, seconds, shares });
const ways = {
  secondsOf: ({ seconds }: { seconds: number }) => seconds,
  sharesProcess: ({ shares }: { shares: boolean }) => shares,
};

test("long files start first, files that share a process follow each other, and short ones fill the end", () => {
  const files = [
    file("a short unit of the panel", 1, false),
    file("a long unit of the domain", 30, true),
    file("a short unit of the domain", 1, true),
    file("a story", 150, false),
    file("another short unit of the domain", 1, true),
    file("a page", 20, false),
    file("a unit of the API", 9, true),
  ];
  expect(lineUp(files, ways).map(({ name }) => name)).toEqual([
    "a story",
    "a page",
    "a long unit of the domain",
    "a unit of the API",
    "a short unit of the domain",
    "another short unit of the domain",
    "a short unit of the panel",
  ]);
});
