import { performance } from "node:perf_hooks";
import { expect, test } from "vitest";
import { confirmEmailMail } from "./confirm-email-mail.ts";

const link = "https://app.example.com/confirm-email?token=abc-DEF_123";
const build = (fullName: string) => confirmEmailMail({ to: "ada@example.com", fullName, language: null, link });

test("both parts greet by name and contain the link, its expiry and what to do if you did not register", async () => {
  const mail = await build("Ada Lovelace");
  expect(mail.recipient).toBe("ada@example.com");
  expect(mail.subject).toBe("Confirm your email address");
  for (const part of [mail.text, mail.html]) {
    expect(part).toContain("Hi Ada Lovelace,");
    expect(part).toContain(link);
    expect(part).toContain("24 hours");
    expect(part).toMatch(/ask for this\?/);
  }
});

test("the link is alone on its line of the text part", async () => {
  const mail = await build("Ada Lovelace");
  expect(mail.text.split("\n")).toContain(link);
  expect(mail.text).not.toMatch(/<[a-z]/i);
});

test("the button and the plain link lead to the same URL", async () => {
  const mail = await build("Ada Lovelace");
  expect([...mail.html.matchAll(/href="([^"]*)"/g)].map((match) => match[1])).toEqual([link, link]);
});

test("markup in a name is shown as text", async () => {
  const { html } = await build(`<img src=x onerror="alert(1)"><a href='https://evil.example'>x</a>`);
  expect(html).not.toContain("<img");
  expect(html).not.toContain("<a href='");
  expect(html).toContain("&lt;img src=x");
});

test("line breaks and writing-direction marks in a name cannot add lines to the mail", async () => {
  const clean = await build("Eve Bcc victim");
  const hostile = await build("Eve\r\nBcc\u2028 victim\u202e\u0000");
  expect(hostile.text).toBe(clean.text);
});

test("the mail follows the reader's light or dark theme", async () => {
  const { html } = await build("Ada");
  expect(html).toContain('content="light dark"');
  expect(html).toContain("prefers-color-scheme: dark");
});

test("a mail is rendered in a few milliseconds", async () => {
  await build("warm up");
  let quickestMs = Infinity;
  for (let count = 0; count < 20; count++) {
    const startedAt = performance.now();
    await build("Ada Lovelace");
    quickestMs = Math.min(quickestMs, performance.now() - startedAt);
  }
  // Measured at about 2 ms; the limit only catches a fundamental change, such as a browser or a network in the way.
  expect(quickestMs).toBeLessThan(250);
});
