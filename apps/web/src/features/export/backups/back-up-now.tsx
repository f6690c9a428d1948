import { useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../lib/api/api-client.ts";
import { notify } from "../../../lib/notices/notices.ts";
import { useAction } from "../../../lib/use-action.ts";
import { Button, type ButtonTone } from "../../../ui/button.tsx";
import { t } from "../words.ts";
import { backupsQuery } from "../backups-query.ts";

/** Requests a backup; the page shows the error where there is room for it. */
export function useBackUpNow() {
  const queries = useQueryClient();
  return useAction(async () => {
    await callApi("createBackup");
    notify("info", t("exporting.backups.asked"));
    await queries.invalidateQueries({ queryKey: backupsQuery.queryKey });
  });
}

export const BackUpNow = ({ action: { pending, run }, tone }: { action: ReturnType<typeof useBackUpNow>; tone?: ButtonTone }) => (
  <Button tone={tone} pending={pending} pendingText={t("exporting.backups.starting")} onClick={() => void run()}>
    {t("exporting.backups.now")}
  </Button>
);
