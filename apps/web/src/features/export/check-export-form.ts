/** What is wrong with the export form, by field: the same rules as the contract's, and that the passphrase was typed twice. */
import type { FieldCode } from "#contract/api/field-words.ts";

export interface ExportValues {
  withCredentials: boolean;
  passphrase: string;
  passphraseAgain: string;
  password: string;
}

export const emptyExportForm: ExportValues = { withCredentials: false, passphrase: "", passphraseAgain: "", password: "" };

/** As contract/api/fields.ts has it; the panel does not carry the contract's schemas here. */
const [shortest, longest] = [12, 200];

/** Empty where nothing is wrong. */
export function checkExportForm({
  withCredentials,
  passphrase,
  passphraseAgain,
  password,
}: ExportValues): Partial<Record<"passphrase" | "passphraseAgain" | "password", FieldCode>> {
  if (!withCredentials) return {};
  const isLong = passphrase.length >= shortest && passphrase.length <= longest;
  return {
    ...(passphrase === "" ? { passphrase: "passphrase.required" as const } : isLong ? {} : { passphrase: "passphrase.length" as const }),
    ...(passphraseAgain === passphrase ? {} : { passphraseAgain: "passphrase.mismatch" as const }),
    ...(password === "" ? { password: "password.required" as const } : {}),
  };
}
