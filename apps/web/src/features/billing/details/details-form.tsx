import { useQueryClient } from "@tanstack/react-query";
import { Controller, useForm } from "react-hook-form";
import type { BillingDetails } from "#contract/billing/billing.ts";
import { callApi } from "../../../lib/api/api-client.ts";
import { useLateRules } from "../../../lib/forms/use-late-rules.ts";
import { notify } from "../../../lib/notices.ts";
import { notifyWithUndo } from "../../../lib/undo-notice.ts";
import { useAction } from "../../../lib/use-action.ts";
import { useDraft } from "../../../lib/use-draft.ts";
import { Button } from "../../../ui/button.tsx";
import { Combobox } from "../../../ui/form/combobox.tsx";
import { ErrorNotice } from "../../../ui/notices/error-notice.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { t } from "../words.ts";
import { placeFieldErrors } from "../../credentials/place-field-errors.ts";
import { detailsQuery } from "../billing-queries.ts";
import { countries, countryMatches, countryName } from "./countries.ts";
import { fieldMessage } from "../../../lib/errors/field-message.ts";

const names = ["name", "line1", "line2", "postalCode", "city", "country", "vatId"] as const satisfies readonly (keyof BillingDetails)[];

/** The form of ./details-section.tsx, fetched with its first answer. */
export default function DetailsForm({ userId, known }: { userId: string; known: BillingDetails }) {
  const queries = useQueryClient();
  const [draft, keepDraft, forgetDraft] = useDraft<BillingDetails>(`billing-details.${userId}`, known);
  const form = useForm<BillingDetails>({
    resolver: useLateRules(async () => (await import("./details-rules.ts")).detailsRules),
    mode: "onTouched",
    defaultValues: draft,
  });
  const change = async (body: BillingDetails) => {
    const { details } = await callApi("saveBillingDetails", { body });
    forgetDraft();
    queries.setQueryData(detailsQuery.queryKey, details);
    form.reset(details);
  };
  const save = useAction(async (body: BillingDetails) => {
    const before = queries.getQueryData(detailsQuery.queryKey);
    try {
      await change(body);
      if (before) notifyWithUndo(t("billing.details.saved"), { run: () => change(before) });
      else notify("success", t("billing.details.saved"));
    } catch (error) {
      if (placeFieldErrors(error, names, form.setError)) return;
      throw error;
    }
  });
  const { errors } = form.formState;
  const field = (name: keyof BillingDetails) => ({
    ...form.register(name, { onChange: () => keepDraft(form.getValues()) }),
    label: t(`billing.details.${name}`),
    error: errors[name]?.message ? fieldMessage(errors[name].message) : undefined,
  });
  return (
    <form noValidate onSubmit={(event) => void form.handleSubmit(save.run)(event)} className="grid gap-4 sm:grid-cols-6">
      {save.error ? <ErrorNotice error={save.error} title={t("billing.details.failed")} className="sm:col-span-6" /> : null}
      <TextField {...field("name")} autoComplete="organization" className="sm:col-span-6" />
      <TextField {...field("line1")} autoComplete="address-line1" className="sm:col-span-3" />
      <TextField {...field("line2")} autoComplete="address-line2" className="sm:col-span-3" />
      <TextField {...field("postalCode")} autoComplete="postal-code" className="sm:col-span-2" />
      <TextField {...field("city")} autoComplete="address-level2" className="sm:col-span-4" />
      <div className="sm:col-span-3">
        <Controller
          name="country"
          control={form.control}
          render={({ field: country, fieldState }) => (
            <Combobox
              label={t("billing.details.country")}
              items={countries()}
              value={country.value || null}
              onChange={(value) => {
                country.onChange(value ?? "");
                keepDraft(form.getValues());
              }}
              onBlur={country.onBlur}
              matches={countryMatches}
              nameOf={countryName}
              detail={(code) => code}
              placeholder={t("billing.details.countryChoose")}
              searchLabel={t("billing.details.countrySearch")}
              emptyText={t("billing.details.countryNone")}
              error={fieldState.error?.message ? fieldMessage(fieldState.error.message) : undefined}
            />
          )}
        />
      </div>
      <TextField
        {...field("vatId")}
        hint={t("billing.details.vatHint")}
        spellCheck={false}
        autoCapitalize="characters"
        className="sm:col-span-3"
      />
      <div className="sm:col-span-6">
        <Button type="submit" tone="plain" pending={save.pending} pendingText={t("billing.details.saving")}>
          {t("billing.details.save")}
        </Button>
      </div>
    </form>
  );
}
