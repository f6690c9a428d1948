/** Finds the addresses in typed or pasted text. Nothing is dropped: anything else is returned unchanged, to be corrected. */

/**
 * The parts between commas, semicolons, tabs and line ends, each reduced to its address, in lower case and in order, without duplicates.
 */
export function splitAddresses(text: string): string[] {
  const addresses = splitParts(text).flatMap(addressesIn);
  return [...new Set(addresses)];
}

/** Whether the text contains more than the address that is being typed. */
export const endsAddress = (text: string): boolean =>
  /[,;\t\r\n]/.test(text) || (text.includes("@") && /\S\s+$/.test(text) && !text.includes("<") && !text.includes('"'));

/** A separator within a quoted name, as in "Doe, Jane" <jane@…>, does not count; a line end always does. */
function splitParts(text: string): string[] {
  const parts: string[] = [];
  let part = "";
  let isQuoted = false;
  for (const character of text) {
    const isLineEnd = character === "\n" || character === "\r";
    if (character === '"') isQuoted = !isQuoted;
    if (isLineEnd) isQuoted = false;
    if (isLineEnd || (!isQuoted && /[,;\t]/.test(character))) {
      parts.push(part);
      part = "";
    } else part += character;
  }
  return [...parts, part];
}

function addressesIn(part: string): string[] {
  const opens = part.lastIndexOf("<");
  const closes = part.indexOf(">", opens);
  const inner = opens >= 0 && closes > opens ? part.slice(opens + 1, closes).trim() : "";
  const words = (inner || part).trim().toLowerCase().split(/\s+/).filter(Boolean);
  // "a@b.c d@e.f" is two addresses; "jane doe" is one entry to be corrected.
  const found = words.filter((word) => word.includes("@")).length > 1 ? words : [words.join(" ")];
  return found.map((word) => word.replace(/^mailto:/, "")).filter(Boolean);
}
