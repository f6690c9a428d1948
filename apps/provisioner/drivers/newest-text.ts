/**
 * The end of `bytes` as text of at most `maxBytes` bytes. Never begins or ends inside a character; invalid bytes become U+FFFD and count
 * with its length.
 */
export function newestText(bytes: Uint8Array, maxBytes: number): string {
  const text = decode(endOf(bytes, maxBytes));
  const encoded = new TextEncoder().encode(text);
  return encoded.length <= maxBytes ? text : decode(endOf(encoded, maxBytes));
}

function endOf(bytes: Uint8Array, maxBytes: number): Uint8Array {
  if (bytes.length <= maxBytes) return bytes;
  let start = bytes.length - Math.max(0, maxBytes);
  // A byte 10xxxxxx continues a character whose first byte was cut off; a character has at most three of them.
  for (let steps = 0; steps < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80; steps += 1) start += 1;
  return bytes.subarray(start);
}

// As a stream, the decoder holds back an incomplete last character.
const decode = (bytes: Uint8Array): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes, { stream: true });
