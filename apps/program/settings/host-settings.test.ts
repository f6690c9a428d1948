import { expect, onTestFinished, test } from "vitest";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "./config.ts";
import { ConfigInvalid } from "./environment.ts";

const whole = {
  HOST_NAME: "two",
  HOST_ADDRESS: "10.0.0.2:3000",
  DATABASE_URL: "postgres://localhost/slipway",
  BACKUPS_URL: "s3://backups?region=eu-central-1",
};

function read(env: Record<string, string | undefined>) {
  const folder = mkdtempSync(join(tmpdir(), "slipway-hosts-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return readConfig({ DATA_DIR: folder, ...env });
}

function problemsOf(env: Record<string, string | undefined>): readonly string[] {
  try {
    read(env);
  } catch (error) {
    if (error instanceof ConfigInvalid) return error.problems;
    throw error;
  }
  return [];
}

test("without settings there is one host, and another one must be named and needs everything that hosts share", () => {
  expect(read({})).toMatchObject({ hostName: "main", hostAddress: null });
  expect(read(whole)).toMatchObject({ hostName: "two", hostAddress: "10.0.0.2:3000" });
  expect(read({ HOST_ADDRESS: "[fd00::1]:3000" })).toMatchObject({ hostAddress: "[fd00::1]:3000" });
});

test.each(["DATABASE_URL", "BACKUPS_URL", "HOST_ADDRESS"])("a further host is refused without %s", (name) => {
  expect(problemsOf({ ...whole, [name]: undefined })).toEqual([expect.stringMatching(new RegExp(`^HOST_NAME: .*${name}`))]);
});

test.each([
  [{ ...whole, DRIVER: "docker" }, "HOST_NAME: only DRIVER=process"],
  [{ ...whole, HOST_NAME: "Two" }, "HOST_NAME: must be lower-case"],
  [{ ...whole, HOST_ADDRESS: "http://10.0.0.2" }, "HOST_ADDRESS: must be host:port"],
  [{ ...whole, HOST_ADDRESS: "10.0.0.2:70000" }, "HOST_ADDRESS: must be host:port"],
  [{ ...whole, HOST_ADDRESS: "10.0.0.300:3000" }, "HOST_ADDRESS: must be host:port"],
])("%o is refused", (env, problem) => {
  expect(problemsOf(env)).toEqual([expect.stringContaining(problem)]);
});
