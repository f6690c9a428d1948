/** The problems of the export form, by field: the contract's rules, and that the passphrase was typed twice. */
import type { FieldCode } from "#contract/api/field-words.ts";

export interface ExportValues {
  withCredentials: boolean;
  passphrase: string;
  passphraseAgain: string;
  password: string;
}

export const emptyExportForm: ExportValues = { withCredentials: false, passphrase: "", passphraseAgain: "", password: "" };

/** The same as in contract/api/fields.ts; the panel does not load the contract's schemas here. */
const [shortest, longest] = [12, 200];

/** Empty if there is no problem. */
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
