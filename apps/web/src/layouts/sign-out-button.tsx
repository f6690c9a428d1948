import { LogOut } from "lucide-react";
import { useNavigate } from "react-router";
import { analytics } from "../lib/analytics/analytics.ts";
import { callApi } from "../lib/api-client.ts";
import { notify } from "../lib/notices.ts";
import { paths } from "../lib/paths.ts";
import { tellOtherTabs } from "../lib/other-tabs.ts";
import { endSession } from "../lib/session.ts";
import { useAction } from "../lib/use-action.ts";
import { t } from "../words/words.ts";

/** Signs out here and on the server. */
export function SignOutButton({ className }: { className?: string }) {
  const navigate = useNavigate();
  const signOut = useAction(async () => {
    // SPEC §7: any status is accepted. A server out of reach keeps the cookie, and a reload would show it.
    await callApi("logOut").catch((error: unknown) => console.warn("The session could not be ended on the server.", error));
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
