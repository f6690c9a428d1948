/**
 * An identifier for an action to be carried out once, however often its call is made: 32 hex digits. Also works without a secure context.
 */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
