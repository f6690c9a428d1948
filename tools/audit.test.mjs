import { expect, test } from "vitest";
import { judgeReport } from "./audit.mjs";

const report = (vulnerabilities, total) => JSON.stringify({ vulnerabilities, metadata: { vulnerabilities: { total } } });

test("no known vulnerability passes", () => {
  expect(judgeReport(report({}, 0))).toEqual({ code: 0, lines: ["No known weaknesses."] });
});

test.each(["high", "critical"])("a vulnerability of severity %s is named and fails", (severity) => {
  const { code, lines } = judgeReport(
    `npm warn something\n${report({ a: { name: "a", severity, via: [{ title: "it can be crashed" }, "b"] } }, 3)}\n`,
  );
  expect({ code, lines }).toEqual({
    code: 1,
    lines: [`${severity}: a: it can be crashed; by b`, "3 known weaknesses, 2 of them below high."],
  });
});

test("lesser ones are counted and do not fail", () => {
  expect(judgeReport(report({ a: { name: "a", severity: "moderate", via: [] } }, 1))).toEqual({
    code: 0,
    lines: ["1 known weaknesses, 1 of them below high."],
  });
});

test.each([
  ["a refusal", '{"message":"405 Method Not Allowed","statusCode":405}', "405 Method Not Allowed"],
  ["no words", "", "no answer"],
  ["no report", "{}", "no answer"],
  ["half a report", '{"vulnerab', "no answer"],
])("%s does not pass", (_what, output, reason) => {
  const { code, lines } = judgeReport(output);
  expect(code).toBe(2);
  expect(lines[0]).toContain(`could not be asked (${reason})`);
});
