import { useState, type FormEvent } from "react";
import { useAction } from "../../lib/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorNotice } from "../../ui/notices/error-notice.tsx";
import { TextField } from "../../ui/form/text-field.tsx";
import { t } from "./words.ts";
import { Group } from "./group.tsx";
import { moveClock } from "./sandbox-queries.ts";
import { serviceTime } from "./service-time.ts";

const steps = [
  ["1d", "developer.steps.day"],
  ["3d", "developer.steps.threeDays"],
  ["14d", "developer.steps.fortnight"],
  ["1mo", "developer.steps.month"],
] as const;

const stepShape = /^[1-9]\d{0,3}(mo|d|h|m|s)$/;

/** Buttons that move the service's clock forward, and a field for any other step. */
export function ClockControls() {
  const [custom, setCustom] = useState("");
  const [fieldError, setFieldError] = useState<string>();
  const [moved, setMoved] = useState<string>();
  const move = useAction(async (step: string) => {
    setMoved(undefined);
    const { now, settled } = await moveClock(step);
    setMoved(t(settled ? "developer.moved" : "developer.unsettled", { time: serviceTime(now) }));
  });
  const moveCustom = (event: FormEvent) => {
    event.preventDefault();
    const step = custom.trim().toLowerCase().replaceAll(" ", "");
    setFieldError(stepShape.test(step) ? undefined : t("developer.customInvalid"));
    if (stepShape.test(step)) void move.run(step);
  };
  return (
    <Group id="developer-clock" title={t("developer.move")}>
      <div className="flex flex-wrap gap-2">
        {steps.map(([step, label]) => (
          <Button key={step} tone="plain" pending={move.pending} onClick={() => void move.run(step)}>
            {t(label)}
          </Button>
        ))}
      </div>
      <form noValidate onSubmit={moveCustom} className="flex flex-wrap items-start gap-2">
        <TextField
          className="w-48 text-ink"
          label={t("developer.custom")}
          hint={t("developer.customHint")}
          error={fieldError}
          value={custom}
          onChange={({ target }) => setCustom(target.value)}
          autoComplete="off"
          maxLength={8}
        />
        <Button tone="plain" type="submit" pending={move.pending} className="mt-[1.625rem]">
          {t("developer.go")}
        </Button>
      </form>
      <p role="status" className="min-h-5 text-ink">
        {move.pending ? t("developer.moving") : moved}
      </p>
      {move.error ? <ErrorNotice error={move.error} title={t("developer.failed")} /> : null}
    </Group>
  );
}
