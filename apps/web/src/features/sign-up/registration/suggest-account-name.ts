import { plainText } from "../../../lib/plain-text.ts";

/** The longest account name. */
const longestName = 25;

/** An account name made from a full name; empty if too little of it remains to be valid. */
export function suggestAccountName(fullName: string): string {
  const whole = plainText(fullName)
    .replace(/ß/g, "ss")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^[^a-z]+/, "")
    .replace(/-+$/, "");
  // Between two words if possible, because half a word looks like a mistake.
  const name =
    whole.length > longestName
      ? whole
          .slice(0, longestName + 1)
          .replace(/-[^-]*$/, "")
          .slice(0, longestName)
      : whole;
  return name.length >= 3 ? name : "";
}

/**
 * Similar names to try if this one is taken: few, because each is a question to the service. A longer number, such as a date or a phone's,
 * is part of the name.
 */
export function otherAccountNames(name: string): string[] {
  const [, base = name, number] = /^(.+?)(?:-(\d{1,4}))?$/.exec(name) ?? [];
  const next = number ? Number(number) + 1 : 2;
  return [`${next}`, "team", `${next + 1}`].map((end) => `${base.slice(0, longestName - end.length - 1).replace(/-+$/, "")}-${end}`);
}
