import { useQuery } from "@tanstack/react-query";
import { useAction } from "../../lib/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorNotice } from "../../ui/notices/error-notice.tsx";
import { t } from "./words.ts";
import { Group } from "./group.tsx";
import { changeSandbox, sandboxQuery } from "./sandbox-queries.ts";

const lateSeconds = 600;

/** What happens to the events of the payment sandbox from now on. */
export function WebhookControls() {
  const { data, error } = useQuery(sandboxQuery);
  const change = useAction(changeSandbox);
  const webhooks = data?.webhooks;
  const choices = [
    {
      label: t("developer.delay"),
      checked: (webhooks?.delaySeconds ?? 0) > 0,
      set: (on: boolean) => ({ delaySeconds: on ? lateSeconds : 0 }),
    },
    { label: t("developer.duplicate"), checked: webhooks?.duplicate ?? false, set: (on: boolean) => ({ duplicate: on }) },
    { label: t("developer.reorder"), checked: webhooks?.reorder ?? false, set: (on: boolean) => ({ reorder: on }) },
    { label: t("developer.drop"), checked: webhooks?.drop ?? false, set: (on: boolean) => ({ drop: on }) },
  ];
  const failure = change.error ?? error;
  return (
    <Group id="developer-webhooks" title={t("developer.webhooks")}>
      <div className="grid gap-x-4 gap-y-1 sm:grid-cols-2">
        {choices.map(({ label, checked, set }) => (
          <label key={label} className="flex min-h-8 items-center gap-2 text-ink">
            <input
              type="checkbox"
              className="size-4 accent-accent"
              checked={checked}
              disabled={!webhooks}
              onChange={({ target }) => void change.run({ webhooks: set(target.checked) })}
            />
            {label}
          </label>
        ))}
      </div>
      <p>{webhooks ? t("developer.webhooksState", { waiting: webhooks.waiting, dropped: webhooks.dropped }) : null}</p>
      <div className="flex flex-wrap gap-2">
        <Button tone="plain" pending={change.pending} onClick={() => void change.run({ send: "dropped" })}>
          {t("developer.sendDropped")}
        </Button>
        <Button tone="plain" pending={change.pending} onClick={() => void change.run({ send: "newest" })}>
          {t("developer.sendNewest")}
        </Button>
      </div>
      {failure ? <ErrorNotice error={failure} title={t("developer.failed")} /> : null}
    </Group>
  );
}
