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
