import { LogOut } from "lucide-react";
import { useNavigate } from "react-router";
import { forgetTemplateId } from "../features/sign-up/template-redirect.ts";
import { analytics } from "../lib/analytics/analytics.ts";
import { callApi } from "../lib/api/api-client.ts";
import { hasCode } from "../lib/api/api-error.ts";
import { notify } from "../lib/notices.ts";
import { paths } from "../lib/paths.ts";
import { tellOtherTabs } from "../lib/session/other-tabs.ts";
import { endSession } from "../lib/session/session.ts";
import { useAction } from "../lib/use-action.ts";
import { t } from "../words/frame.ts";

/** Signs out here and on the server. */
export function SignOutButton({ className }: { className?: string }) {
  const navigate = useNavigate();
  const signOut = useAction(async () => {
    try {
      await callApi("logOut");
    } catch (error) {
      // Any status counts as signed out. If the server was not reached, the session is still open and the cookie still valid.
      if (hasCode(error, "unreachable")) return notify("danger", t("session.logoutFailed"));
      console.warn("The session could not be ended on the server.", error);
    }
    forgetTemplateId();
    analytics.track("User signed out", {});
    endSession();
    tellOtherTabs({ kind: "signed-out" });
    notify("success", t("session.loggedOut"));
    await navigate(paths.login);
  });
  return (
    <button type="button" aria-disabled={signOut.pending || undefined} onClick={() => void signOut.run()} className={className}>
      <span className="flex items-center gap-2">
        <LogOut className="size-4" aria-hidden="true" />
        <span className="max-sm:sr-only">{t("nav.signOut")}</span>
      </span>
    </button>
  );
}
