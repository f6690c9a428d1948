import { useState } from "react";
import { callApi } from "../../../lib/api/api-client.ts";
import { ApiError } from "../../../lib/api/api-error.ts";
import { notify } from "../../../lib/notices/notices.ts";
import { useAction } from "../../../lib/use-action.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog/dialog.tsx";
import { ErrorNotice } from "../../../ui/notices/error-notice.tsx";
import { PasswordField } from "../../../ui/form/password-field.tsx";
import { t } from "../words.ts";
import { fieldMessage } from "../../../lib/errors/field-message.ts";
import { AccountOfPassword } from "../../../lib/forms/account-of-password.tsx";
import { knownUser } from "../../../lib/session/session.ts";

/** The password opens a link that works once; the browser then saves the file, and the page stays where it is. */
export function DownloadDialog({ backupId, onClose }: { backupId: string; onClose: () => void }) {
  const [password, setPassword] = useState("");
  const [isEmpty, setIsEmpty] = useState(false);
  const download = useAction(async () => {
    const { url } = await callApi("backupDownloadLink", { params: { id: backupId }, body: { password } });
    window.location.assign(url);
    notify("info", t("exporting.download.begun"));
    onClose();
  });
  const refused = download.error instanceof ApiError ? download.error.fields.find(({ path }) => path === "password") : undefined;
  const code = isEmpty && password === "" ? "password.required" : refused?.code;
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("exporting.download.title")}
      description={t("exporting.download.lead")}
      closeLabel={t("common.close")}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setIsEmpty(password === "");
          if (password !== "") void download.run();
        }}
        className="mt-4 space-y-4"
      >
        <AccountOfPassword email={knownUser()?.email} />
        {download.error && !refused ? <ErrorNotice error={download.error} title={t("exporting.download.failed")} /> : null}
        <PasswordField
          label={t("exporting.download.password")}
          showLabel={t("exporting.take.show")}
          hideLabel={t("exporting.take.hide")}
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          error={code && fieldMessage(code)}
        />
        <Button type="submit" pending={download.pending} pendingText={t("exporting.download.preparing")} className="w-full">
          {t("exporting.download.confirm")}
        </Button>
      </form>
    </Dialog>
  );
}
