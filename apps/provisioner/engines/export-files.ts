/** What the exports of all tools have in common: credentials sealed by the workspace itself, and instructions for opening them. */
import { readFileSync } from "node:fs";
import { z } from "zod";
import type { Language } from "#contract/accounts/language.ts";
import type { EngineExportFile, EngineExports } from "./port/engine-copies.ts";

/** Credentials as the workspace seals them: AES-256-GCM under the owner's key; nonce and data in base64. */
export const sealedCredentials = z.object({ count: z.int().min(0), nonce: z.string(), data: z.string() });

/** The file that decrypt-credentials.mjs opens. */
export const toCredentialsFile = ({ count, nonce, data }: z.output<typeof sealedCredentials>): EngineExportFile => ({
  kind: "credentials",
  path: "credentials.encrypted.json",
  content: toText({ format: "slipway-credentials-1", cipher: "aes-256-gcm", nonce, data }),
  count,
});

/** Files that accompany an export: the tool's own texts, from its `folder`, and if there are credentials, what is needed to open them. */
export const companionsIn =
  (folder: string): EngineExports["companions"] =>
  (scrypt, language) => {
    const words = (name: string) => readFileSync(`${folder}/export-companions/${name}${endings[language]}`, "utf8");
    if (!scrypt) return [{ path: "README.txt", content: words("export-readme") }];
    return [
      { path: "README.txt", content: words("export-readme") + words("export-credentials-readme") },
      { path: "decrypt-credentials.mjs", content: readFileSync(new URL("decrypt-credentials.mjs", import.meta.url), "utf8") },
      { path: "scrypt.json", content: toText({ kdf: "scrypt", ...scrypt }) },
    ];
  };

const endings: Record<Language, string> = { en: ".txt", de: ".de.txt" };

/** JSON formatted for people. */
export const toText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
