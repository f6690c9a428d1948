import { expect, test } from "vitest";
import { nameImage } from "./name-image.ts";

test("an image is named by its digest if there is one, and by its tag otherwise", () => {
  const digest = `sha256:${"0a".repeat(32)}`;
  const images = "registry.example:5000/slipway";
  const source = { images, digests: { "n8n:2.40.7-0a1b": digest } };
  expect(nameImage(source, "n8n:2.40.7-0a1b")).toBe(`${images}/n8n@${digest}`);
  expect(nameImage(source, "n8n:2.38.7-0a1b")).toBe(`${images}/n8n:2.38.7-0a1b`);
  expect(nameImage({ images }, "n8n:2.40.7-0a1b")).toBe(`${images}/n8n:2.40.7-0a1b`);
  expect(nameImage(source, "toString")).toBe(`${images}/toString`);
});
