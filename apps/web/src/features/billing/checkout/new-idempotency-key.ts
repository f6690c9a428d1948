/** A name for one thing that is to be done once, however often its call is made: 32 hex digits. Works without a secure context too. */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
