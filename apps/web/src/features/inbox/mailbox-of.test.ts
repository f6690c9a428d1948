import { expect, test } from "vitest";
import { mailboxOf } from "./mailbox-of.ts";

test.each([
  ["ada@gmail.com", "Gmail"],
  ["Ada@GoogleMail.com", "Gmail"],
  ["ada@web.de", "WEB.DE"],
  ["ada@gmail.com.example", undefined],
  ["ada@notgmail.com", undefined],
  ["ada@acme.example", undefined],
  ["ada", undefined],
])("the mailbox of %s is that of %s", (email, provider) => expect(mailboxOf(email)?.provider).toBe(provider));
