import { useNavigate } from "react-router";
import { analytics } from "../../lib/analytics/analytics.ts";
import { callApi } from "../../lib/api/api-client.ts";
import { ApiError } from "../../lib/api/api-error.ts";
import { isServiceThere, loadChunk } from "../../lib/faults/chunk-reload.ts";
import { unsavedForms } from "../../lib/forms/unsaved-input.ts";
import { notify } from "../../lib/notices/notices.ts";
import { paths } from "../../lib/paths.ts";
import { tellOtherTabs } from "../../lib/session/other-tabs.ts";
import { endSession, removeSessionMark } from "../../lib/session/session.ts";
import { useAction, type Action } from "../../lib/use-action.ts";
import { t } from "../../words/frame.ts";
import { forgetTemplateId } from "../sign-up/template-redirect.ts";

const loadQuestion = () => import("./unsaved/ask-to-sign-out.tsx");

/** Signs out here and on the server, and opens the sign-in page; asks first if unsaved input would be lost. */
export function useSignOut(): Action<void> {
  const navigate = useNavigate();
  return useAction(async () => {
    const { stored, held } = unsavedForms();
    const forms = [...new Set([...stored, ...held])];
    if (forms.length > 0) {
      const mayLose = await loadChunk(loadQuestion, isServiceThere)
        .then(({ askToSignOut }) => askToSignOut(forms))
        // The question could not be fetched, so signing out would fail, too.
        .catch(() => notify("danger", t("session.logoutFailed")));
      if (!mayLose) return;
    }
    try {
      await callApi("logOut");
    } catch (error) {
      // Any status counts as signed out. If the server did not answer, the session may still be open, and the cookie is still there.
      if (error instanceof ApiError && error.status === 0) return notify("danger", t("session.logoutFailed"));
      console.warn("The session could not be ended on the server.", error);
    }
    forgetTemplateId();
    analytics.track("User signed out", {});
    removeSessionMark();
    endSession();
    tellOtherTabs({ kind: "signed-out" });
    notify("success", t("session.loggedOut"));
    await navigate(paths.login);
  });
}
