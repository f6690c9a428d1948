import { expect, test } from "vitest";
import { explainBuildFailure, explainNpmFailure } from "./explain-npm-failure.ts";

const npmSays = (code: string) =>
  `npm warn old lockfile\nnpm error code ${code}\nnpm error something about it\nnpm error A complete log of this run can be found in: /x`;

test.each([
  ["ENOTFOUND", "registry_unreachable"],
  ["EAI_AGAIN", "registry_unreachable"],
  ["ECONNREFUSED", "registry_unreachable"],
  ["ECONNRESET", "registry_unreachable"],
  ["ETIMEDOUT", "registry_unreachable"],
  ["E503", "registry_unreachable"],
  ["E429", "registry_unreachable"],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "registry_unreachable"],
  ["ENOSPC", "no_room"],
  ["EDQUOT", "no_room"],
  ["EINTEGRITY", "not_identical"],
  ["ETARGET", "failed"],
  ["E404", "failed"],
  ["E403", "failed"],
  ["EWHATEVER", "failed"],
])("npm's %s is %s", (npmCode, code) => {
  const failure = explainNpmFailure("n8n 1.0.0", npmSays(npmCode));
  expect(failure.code).toBe(code);
  expect(failure.message).toMatch(/^n8n 1\.0\.0 could not be installed: .*something about it$/);
});

test("a disk that fills up during a compile does not count as a compile failure", () => {
  expect(explainBuildFailure("n8n 1.0.0", ["sqlite3"], "fatal: No space left on device ENOSPC").code).toBe("no_room");
  expect(explainBuildFailure("n8n 1.0.0", ["sqlite3"], "make: g++: No such file").code).toBe("compile_failed");
});
