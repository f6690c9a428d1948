/** Whose account a code opens: shown before use, so that a link cannot lead a visitor into a stranger's account (decision 0077). */
import { AppError } from "#platform/app-error.ts";
import type { Services } from "../services.ts";
import { countCode } from "./count-code.ts";

/** The account's name; uses nothing up. An invalid code is refused and counted as an attempt, as when it is used. */
export async function readCodeHolder(services: Services, code: string, address: string): Promise<{ accountName: string }> {
  const { holder, takeBack } = await countCode(services, { code, workspaceCode: services.workspace.readLoginCode(code) }, address);
  if (!holder) throw new AppError("login_code_invalid");
  await takeBack();
  return { accountName: holder.accountName };
}
