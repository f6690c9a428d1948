import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ConfigInvalid } from "./environment.ts";
import { readConfig } from "./config.ts";
import { readSecretFiles, secretSettings } from "./secret-files.ts";

const key = "a key of at least thirty-two characters";
let folder: string;
let count = 0;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "slipway-test-secrets-"))));
afterAll(() => rmSync(folder, { recursive: true }));

function file(content: string | Buffer): string {
  const path = join(folder, `secret-${(count += 1)}`);
  writeFileSync(path, content);
  return path;
}

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig({ DATA_DIR: join(folder, "data"), ...env });
    return [];
  } catch (error) {
    return (error as ConfigInvalid).problems;
  }
}

test.each(secretSettings)("%s may be given as a file", (name) => {
  expect(readSecretFiles({ [`${name}_FILE`]: file("s3cret of this name\n"), PORT: "1" })).toEqual({
    env: { [name]: "s3cret of this name", [`${name}_FILE`]: expect.any(String), PORT: "1" },
    problems: [],
  });
});

test.each(["\n", "\r\n", ""])("only the line end %j after a secret is removed", (end) => {
  expect(readSecretFiles({ SECRET_KEY_FILE: file(` ${key} ${end}`) }).env["SECRET_KEY"]).toBe(` ${key} `);
});

test("a file's content is checked like the setting itself, including production's requirements", () => {
  const files = {
    SECRET_KEY_FILE: file(key),
    SMTP_URL_FILE: file("smtps://me:hunter2@mail.example.com"),
    DATABASE_URL_FILE: file("postgres://me:hunter2@127.0.0.1/slipway"),
    STRIPE_SECRET_KEY_FILE: file("sk_live_x"),
    STRIPE_WEBHOOK_SECRET_FILE: file("whsec_x, whsec_y\n"),
  };
  const env = {
    ...files,
    NODE_ENV: "production",
    PUBLIC_URL: "https://app.example.com",
    PAYMENTS: "stripe",
    SELLER_NAME: "We",
    SELLER_ADDRESS: "Here",
    SELLER_COUNTRY: "DE",
  };
  expect(readConfig({ DATA_DIR: join(folder, "data"), ...env })).toMatchObject({
    secretKey: key,
    smtpUrl: "smtps://me:hunter2@mail.example.com",
    databaseUrl: "postgres://me:hunter2@127.0.0.1/slipway",
    payments: { secretKey: "sk_live_x", webhookSecrets: ["whsec_x", "whsec_y"] },
  });
  expect(problemsOf({ ...env, SECRET_KEY_FILE: file("hunter2") })).toEqual(["SECRET_KEY: must have at least 32 characters"]);
});

test("a secret set twice is refused, because it is unclear which is meant", () => {
  expect(problemsOf({ SECRET_KEY: key, SECRET_KEY_FILE: file(key) })).toEqual([
    "SECRET_KEY_FILE: SECRET_KEY is set too; set only one of them",
  ]);
  expect(problemsOf({ SECRET_KEY: "", SECRET_KEY_FILE: file(key) })).toEqual([]);
  expect(problemsOf({ SECRET_KEY: key, SECRET_KEY_FILE: "" })).toEqual([]);
});

test.each<[what: string, content: string | Buffer, problem: RegExp]>([
  ["is empty", "", /is empty$/],
  ["is a line end", "\n", /is empty$/],
  ["has several lines", `SECRET_KEY=hunter2\nSMTP_URL=${key}\n`, /as one line of text$/],
  ["is no text", Buffer.from([0x80, 0xff, 0xfe, ...Buffer.from(key)]), /as one line of text$/],
  ["is too large", key.repeat(1000), /is too large to be a secret$/],
])("a file that %s is refused by name, without showing its content", (_what, content, problem) => {
  const path = file(content);
  const problems = problemsOf({ SECRET_KEY_FILE: path });
  expect(problems).toEqual([expect.stringMatching(problem)]);
  expect(problems[0]).toContain(`SECRET_KEY_FILE: the file ${path} `);
  expect(problems[0]).not.toContain("hunter2");
});

test("a missing file, a folder and a pipe are refused immediately; a link, as Kubernetes uses them, is followed", () => {
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  symlinkSync(file(key), join(folder, "link"));
  expect(problemsOf({ SECRET_KEY_FILE: join(folder, "nowhere") })).toEqual([
    expect.stringMatching(/^SECRET_KEY_FILE: the file .*nowhere can't be read \(ENOENT\)$/),
  ]);
  for (const path of [folder, pipe])
    expect(problemsOf({ SECRET_KEY_FILE: path })).toEqual([expect.stringMatching(/can't be read \(not a regular file\)$/)]);
  expect(readConfig({ DATA_DIR: join(folder, "data"), SECRET_KEY_FILE: join(folder, "link") }).secretKey).toBe(key);
});
