import { expect, test } from "vitest";
import { ConfigInvalid } from "./environment.ts";
import { readConfig } from "./config.ts";
import { lineProblems } from "./secure-lines.ts";

const production = {
  NODE_ENV: "production",
  DATA_DIR: "/nonexistent",
  SECRET_KEY: "a key of at least thirty-two characters",
  SMTP_URL: "smtp://mail.example.com",
  PUBLIC_URL: "https://app.example.com",
  PAYMENTS: "paddle",
  PADDLE_API_KEY: "a key of paddle",
  PADDLE_CLIENT_TOKEN: "a token of paddle",
  PADDLE_WEBHOOK_SECRET: "whsec_of_paddle",
};

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig({ ...production, ...env });
    return [];
  } catch (error) {
    return (error as ConfigInvalid).problems;
  }
}

test.each<[name: string, value: string]>([
  ["DATABASE_URL", "postgres://slipway:hunter2@db.internal/slipway"],
  ["DATABASE_URL", "postgres://slipway:hunter2@db.internal/slipway?sslmode=no-verify"],
  ["DATABASE_URL", "postgres://slipway:hunter2@db.internal/slipway?sslmode=verify-full&sslrootcert=/nowhere/hunter.pem"],
  ["SMTP_URL", "smtp://me:hunter2@mail.example.com?requireTLS=false"],
  ["SMTP_URL", "smtps://me:hunter2@mail.example.com?tls.rejectUnauthorized=false"],
  ["BACKUPS_URL", "s3+http://key:hunter2@s3.internal:9000/bucket"],
  ["SENTRY_DSN", "http://hunter2@errors.internal/1"],
  ["TURNSTILE_VERIFY_URL", "http://challenges.example.com/siteverify"],
  ["BREACHED_PASSWORDS_URL", "http://ranges.internal/range"],
  ["VIES_URL", "http://vies.internal/rest-api"],
  ["EXCHANGE_RATES_URL", "http://rates.internal/rates.xml"],
  ["AWS_ENDPOINT_URL_S3", "http://s3.internal"],
  ["NODE_TLS_REJECT_UNAUTHORIZED", "0"],
])("production refuses %s=%s, says why, and repeats no secret", (name, value) => {
  const problems = problemsOf({ [name]: value });
  expect(problems).toEqual([expect.stringMatching(`^${name}: `)]);
  expect(problems[0]).not.toContain("hunter2");
});

test.each<[name: string, value: string]>([
  ["DATABASE_URL", "postgres://slipway:hunter2@127.0.0.1/slipway"],
  ["DATABASE_URL", "postgres://slipway:hunter2@db.internal/slipway?sslmode=verify-full"],
  ["SMTP_URL", "smtp://localhost:25"],
  ["SMTP_URL", "smtps://me:hunter2@mail.example.com"],
  ["BACKUPS_URL", "s3+http://key:hunter2@127.0.0.1:9000/bucket"],
  ["BACKUPS_URL", "s3://key:hunter2@s3.example.com/bucket"],
  ["SENTRY_DSN", "http://hunter2@localhost:8000/1"],
  ["BREACHED_PASSWORDS_URL", "off"],
])("production accepts %s=%s", (name, value) => {
  expect(problemsOf({ [name]: value })).toEqual([]);
});

test("outside production nothing is refused", () => {
  expect(
    problemsOf({
      NODE_ENV: "development",
      DATABASE_URL: "postgres://slipway@db.internal/slipway",
      PUBLIC_URL: "http://localhost:3000",
      SENTRY_DSN: "http://key@errors.internal/1",
    }),
  ).toEqual([]);
});

test("an invalid URL is reported only once, by its own check", () => {
  expect(lineProblems({ DATABASE_URL: "mail", SMTP_URL: "mail", BACKUPS_URL: "mail", SENTRY_DSN: "mail" })).toEqual([]);
});
