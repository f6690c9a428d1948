import { expect, test } from "vitest";
import { z } from "zod";
import { routes } from "../routes.ts";
import { asOneLine, hasUnseen, line } from "./printable-text.ts";

const unseenTexts = {
  "a line break": "A\nVAT ID ATU12345678",
  "a carriage return": "A\rB",
  "a tab": "A\tB",
  "a line separator": "A\u2028B",
  "a control character": "A\u0007B",
  "a bidi override": "A\u202ecod",
  "a bidi isolate": "A\u2066B",
  "a direction mark": "A\u200fB",
  "a zero-width space": "A\u200bB",
  "a joiner between Latin letters": "ad\u200dmin",
  "a soft hyphen": "A\u00adB",
  "a byte order mark": "A\ufeffB",
  "a variation selector after a letter": "A\ufe0f",
  "a tag character": "A\u{e0041}",
  "a Hangul filler": "A\u3164",
  "a blank Braille pattern": "A\u2800",
  "a private character": "A\ue000",
  "an unpaired surrogate": "A\ud83d",
  "a tower of marks": `A${"\u0301\u0302\u0303".repeat(4)}`,
};

test.each(Object.entries(unseenTexts))("%s is refused in a line, and left out of what others sent", (_what, text) => {
  expect(
    line(100)
      .safeParse(text)
      .error?.issues.map(({ message }) => message),
  ).toEqual(["text.unseen"]);
  expect(hasUnseen(asOneLine(text))).toBe(false);
});

test.each([
  ["Persian", "می\u200cخواهم"],
  ["Hindi", "श्री क्\u200dष"],
  ["Sinhala", "ශ්\u200dරී ලංකා"],
  ["old Malayalam", "മോഹന്\u200d"],
  ["Arabic with vowels", "مُحَمَّد"],
  ["Hebrew with points", "שָׁלוֹם"],
  ["Thai", "บริษัท ตัวอย่าง จำกัด"],
  ["Japanese with a variant", "葛\u{e0100}城市 𠮷野家"],
  ["Korean", "주식회사"],
  ["Vietnamese", "Đặng Thị Hương"],
  ["an emoji of several", "👩🏽\u200d💻 ❤\ufe0f\u200d🔥 🏳\ufe0f\u200d🌈 1\ufe0f\u20e3 🇩🇪"],
])("%s is a line as it is", (_what, text) => {
  expect(line(100).parse(text)).toBe(text.normalize("NFC"));
  expect(asOneLine(text)).toBe(text.normalize("NFC"));
});

test("a line is composed, trimmed, and has no long gap that would push a word to the next line", () => {
  expect(line(100).parse("  Cafe\u0301 \u00a0\u3000  Zoë ")).toBe("Café Zoë");
});

test("a line is as long as its characters, not as its code units", () => {
  expect(line(3).parse("𠮷野家")).toBe("𠮷野家");
  expect(line(3).parse("😀😀😀")).toBe("😀😀😀");
  expect(line(3).safeParse("😀😀😀😀").error?.issues[0]?.message).toBe("text.too_long");
});

test("what others sent becomes one line, also where leaving one character out makes another one wrong", () => {
  expect(asOneLine("A\r\nVAT ID\u202e B\n")).toBe("A VAT ID B");
  expect(asOneLine("क\u200b\u200dA")).toBe("कA");
});

/** Fields that are compared, looked up or kept secret, but never shown to anyone, mailed or printed; and why. */
const neverShown = {
  "password|currentPassword": "secret",
  passphrase: "secret",
  "challenge|token|code": "secret",
  "login|accountName|emailConfirmation": "compared with what is known",
  "revision|previewId|versionName|version|planId|id|refundCustomer|disputeCustomer|operationName": "compared with what is known",
  query: "of GraphQL: parsed",
  path: "where to land in the workspace: a path in a URL",
};
const isNeverShown = (field: string) =>
  Object.keys(neverShown)
    .flatMap((names) => names.split("|"))
    .includes(field);

interface Field {
  path: string;
  schema: z.ZodType;
}

/** Every text of a shape. */
function textsOf(schema: unknown, path: string): Field[] {
  const one = schema as z.ZodType;
  if (one instanceof z.ZodObject) return Object.entries(one.shape).flatMap(([name, member]) => textsOf(member, `${path}.${name}`));
  if (one instanceof z.ZodArray) return textsOf(one.element, path);
  if (one instanceof z.ZodRecord) return textsOf(one.valueType, path);
  if (one instanceof z.ZodUnion || one instanceof z.ZodDiscriminatedUnion) return one.options.flatMap((option) => textsOf(option, path));
  if (one instanceof z.ZodOptional || one instanceof z.ZodNullable) return textsOf(one.unwrap(), path);
  if (one instanceof z.ZodDefault || one instanceof z.ZodPrefault) return textsOf(one.unwrap(), path);
  // A pipe ends with an address's format; its whole counts.
  if (one instanceof z.ZodPipe) return textsOf(one.in, path).length > 0 ? [{ path, schema: one }] : [];
  return one instanceof z.ZodString || one instanceof z.ZodStringFormat ? [{ path, schema: one }] : [];
}

const sent = Object.entries(routes).flatMap(([name, route]) => {
  const { body, params, query } = route as { body?: unknown; params?: unknown; query?: unknown };
  return [body, params, query].flatMap((shape) => (shape ? textsOf(shape, name) : []));
});
const shown = sent.filter(({ path }) => !isNeverShown(path.split(".").at(-1)!));

test("every text that a call takes, and that anyone sees, is printable or has a stricter format", () => {
  expect(shown.map(({ path }) => path)).toEqual(
    expect.arrayContaining([
      "register.fullName",
      "changeProfile.fullName",
      "saveBillingDetails.name",
      "saveBillingDetails.line2",
      "inviteMembers.emails",
      "savePersonalizationAnswer.otherIndustry",
      "changeVariables.variables.value",
      "cancelSubscription.reason",
    ]),
  );
  const open = shown.flatMap(({ path, schema }) =>
    Object.entries(unseenTexts)
      .filter(([, text]) => schema.safeParse(text).success)
      .map(([what]) => `${path} takes ${what}`),
  );
  expect(open).toEqual([]);
});

test("the list of what is never shown names no field that is gone", () => {
  const names = new Set(sent.map(({ path }) => path.split(".").at(-1)));
  const listed = Object.keys(neverShown).flatMap((each) => each.split("|"));
  expect(listed.filter((name) => !names.has(name))).toEqual([]);
});
