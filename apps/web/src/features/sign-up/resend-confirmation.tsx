import { callApi } from "../../lib/api/api-client.ts";
import type { ButtonTone } from "../../ui/button.tsx";
import { t } from "./registration/words.ts";
import { ResendMail } from "./resend-mail.tsx";

/** Sends the confirmation mail again, at most once a minute; `isFresh` says that one has just been sent. */
export function ResendConfirmation(props: { email: string; isFresh?: boolean; tone?: ButtonTone }) {
  return <ResendMail {...props} send={() => callApi("resendConfirmation")} title={t("verify.notResent")} lead={t("verify.resendFailed")} />;
}
