import { expect, test } from "vitest";
import type { StoredValues } from "../../lib/browser/stored-value.ts";
import { forgetTemplateId, keepTemplateId, keptTemplateId, templateIdIn } from "./template-redirect.ts";

function memory(): StoredValues {
  const kept = new Map<string, string>();
  return {
    read: (key) => kept.get(key) ?? null,
    write: (key, value) => Boolean(kept.set(key, value)),
    remove: (key) => void kept.delete(key),
  };
}

test.each([
  ["templateId=123", "123"],
  ["templateId=1&templateId=2", "1"],
  ["templateId=a_b-C9", "a_b-C9"],
  ["templateId=", null],
  ["templateId=..%2F..", null],
  ["templateId=1%202", null],
  [`templateId=${"1".repeat(65)}`, null],
  ["", null],
])("of ?%s the template is %s", (search, expected) => {
  expect(templateIdIn(new URLSearchParams(search))).toBe(expected);
});

test("a template survives pages without it, until it is forgotten", () => {
  const values = memory();
  expect(keepTemplateId("", values)).toBeNull();
  expect(keepTemplateId("?templateId=77", values)).toBe("77");
  expect(keepTemplateId("", values)).toBe("77");
  expect(keepTemplateId("?templateId=78", values)).toBe("78");
  forgetTemplateId(values);
  expect(keptTemplateId(values)).toBeNull();
});

test("a stored value that is not a template id is ignored", () => {
  expect(keptTemplateId({ ...memory(), read: () => "javascript:alert(1)" })).toBeNull();
  expect(keptTemplateId({ ...memory(), read: () => undefined })).toBeNull();
});
