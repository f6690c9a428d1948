/** Text that PostgreSQL cannot store: a NUL character, and half a character (a lone surrogate). No legitimate form sends either. */
import { fieldMessage, type FieldCode } from "#contract/api/field-words.ts";
import { AppError } from "../app-error.ts";

const code: FieldCode = "value.invalid";
const isStorable = (text: string): boolean => !text.includes("\0") && text.isWellFormed();

/** Refuses (AppError) validation_failed, with the path of the first such text in a key or a value. Handles any depth. */
export function refuseUnstorableText(value: unknown): void {
  const waiting: { held: unknown; path: string }[] = [{ held: value, path: "" }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { held, path } = next;
    if (typeof held === "string" && !isStorable(held)) refuse(path);
    if (typeof held !== "object" || held === null) continue;
    for (const [key, inner] of Object.entries(held)) {
      if (!isStorable(key)) refuse(path);
      if (typeof inner === "string" ? !isStorable(inner) : typeof inner === "object")
        waiting.push({ held: inner, path: path === "" ? key : `${path}.${key}`.slice(0, 200) });
    }
  }
}

function refuse(path: string): never {
  throw new AppError("validation_failed", { errors: [{ path, code, message: fieldMessage(code) }] });
}
