import { expect, test } from "vitest";
import { invitationMail } from "./invitation-mail.ts";

const link = "https://acme.app.example.com/signup?token=aaa.bbb-ccc.d_d";
const build = (inviterName: string) =>
  invitationMail({
    to: "bob@example.com",
    language: null,
    inviterName,
    accountName: "acme",
    workspaceUrl: "https://acme.app.example.com",
    link,
  });

test("both parts say who invites to which workspace, where to join, and where to sign in later", async () => {
  const mail = await build("Ada Lovelace");
  expect(mail.subject).toBe("Ada Lovelace invited you to their workspace acme");
  for (const part of [mail.text, mail.html]) {
    expect(part).toContain("Ada Lovelace invited you to their workspace acme");
    expect(part).toContain(link);
    expect(part).toContain("https://acme.app.example.com");
    expect(part).toContain("Ignore this email");
  }
});

test("markup in the inviter's name is shown as text", async () => {
  const { html } = await build(`<img src=x onerror="alert(1)">`);
  expect(html).not.toContain("<img");
  expect(html).toContain("&lt;img src=x");
});

test("line breaks in the inviter's name cannot end a header or add lines", async () => {
  const hostile = await build("Eve\r\nBcc:\u2028 victim\u202e");
  const clean = await build("Eve Bcc: victim");
  expect(hostile).toEqual(clean);
});

test.each([
  ["a name written from right to left", "עדה כהן", "<bdi>עדה כהן</bdi> invited you"],
  ["Arabic with a hyphen and marks", "عَبد-الله", "<bdi>عَبد-الله</bdi> invited you"],
  ["its part of a mixed name", "Ada עדה 7", "Ada <bdi>עדה</bdi> 7 invited you"],
  ["markup beside it", "<b>עדה</b>", "&lt;b&gt;<bdi>עדה</bdi>&lt;/b&gt; invited you"],
])("%s does not reorder the sentence around it", async (_what, name, expected) => {
  const { html, text, subject } = await build(name);
  expect(html.replaceAll("<!-- -->", "")).toContain(expected);
  // Mailboxes show marks of direction in a subject or a plain text as boxes, or distrust the mail.
  for (const plain of [text, subject]) expect(plain).toContain(`${name} invited you`);
});

test("a name written from left to right needs no element", async () => {
  expect((await build("Zoë Müller-O’Neil 李")).html).not.toContain("<bdi");
});
