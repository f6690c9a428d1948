/** Secrets given to users: the text is handed out once, and only its hash is kept. */
import { createHash, randomBytes } from "node:crypto";

/** 256 random bits, URL-safe: 43 characters. */
export const newToken = (): string => randomBytes(32).toString("base64url");

/** SHA-256, hex. No salt and no stretching: the token itself is random. */
export const hashToken = (token: string): string => createHash("sha256").update(token).digest("hex");
