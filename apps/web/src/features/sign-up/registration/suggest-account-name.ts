import { plainText } from "../../../lib/plain-text.ts";

/** The longest account name. */
const longestName = 25;

/** An account name made from a full name; empty if too little of it remains to be valid. */
export function suggestAccountName(fullName: string): string {
  const name = plainText(fullName)
    .replace(/ß/g, "ss")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^[^a-z]+/, "")
    .slice(0, longestName)
    .replace(/-+$/, "");
  return name.length >= 3 ? name : "";
}
