import { expect, test } from "vitest";
import { storedValues } from "./stored-value.ts";

test("a storage that throws logs a warning and gives no values", () => {
  const warnings: string[] = [];
  const values = storedValues(
    () => {
      throw new Error("SecurityError");
    },
    (message) => warnings.push(message),
  );
  expect(values.read("key")).toBeUndefined();
  expect(values.write("key", "value")).toBe(false);
  values.remove("key");
  expect(values.keys()).toEqual([]);
  expect(warnings).toHaveLength(4);
});
