import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Controller, useForm } from "react-hook-form";
import type { BillingDetailsChange } from "#contract/billing/billing.ts";
import { callApi } from "../../../lib/api/api-client.ts";
import { hasCode } from "../../../lib/api/api-error.ts";
import { useFirstFocus } from "../../../lib/forms/use-first-focus.ts";
import { useLateRules } from "../../../lib/forms/use-late-rules.ts";
import { notify } from "../../../lib/notices/notices.ts";
import { notifyWithUndo } from "../../../lib/notices/undo-notice.ts";
import { useAction } from "../../../lib/use-action.ts";
import { useDraft } from "../../../lib/use-draft.ts";
import { Button } from "../../../ui/button.tsx";
import { Combobox } from "../../../ui/form/combobox.tsx";
import { ChangedElsewhere } from "../../../ui/notices/changed-elsewhere.tsx";
import { ErrorNotice } from "../../../ui/notices/error-notice.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { t } from "../words.ts";
import { placeFieldErrors } from "../../credentials/place-field-errors.ts";
import { detailsQuery } from "../billing-queries.ts";
import { detailsDraft } from "./details-draft.ts";
import { countries, countryMatches } from "./countries.ts";
import { countryName } from "./country-name.ts";
import { fieldMessage } from "../../../lib/errors/field-message.ts";

const names = [
  "name",
  "line1",
  "line2",
  "postalCode",
  "city",
  "country",
  "vatId",
] as const satisfies readonly (keyof BillingDetailsChange)[];

const noForm = { current: null };

interface DetailsFormProps {
  userId: string;
  known: BillingDetailsChange;
  onClose: () => void;
  onReopen: () => void;
}

/**
 * The form of ./details-section.tsx, fetched while its first answer loads. `known` is kept current from outside, which never loses anything
 * typed.
 */
export default function DetailsForm({ userId, known, onClose, onReopen }: DetailsFormProps) {
  const queries = useQueryClient();
  // With the revision of the details that the input is based on.
  const [draft, keepDraft, forgetDraft] = useDraft<BillingDetailsChange>(detailsDraft(userId), known);
  const [isTyped, setTyped] = useState(draft !== known);
  const form = useForm<BillingDetailsChange>({
    resolver: useLateRules(async () => (await import("./details-rules.ts")).detailsRules),
    mode: "onTouched",
    defaultValues: draft,
  });
  const revision = form.watch("revision");
  const isOutdated = revision !== undefined && revision !== known.revision;
  const typed = () => {
    setTyped(true);
    keepDraft(form.getValues());
  };
  const take = (details: BillingDetailsChange) => {
    forgetDraft();
    setTyped(false);
    form.reset(details);
  };
  // Nothing was typed, so changes made elsewhere are simply shown. After a save the form is ahead of `known`
  // for a moment, and stays as it is.
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- only when another answer is here
  useEffect(() => void (isOutdated && !isTyped && take(known)), [known.revision]);

  const change = async (body: BillingDetailsChange) => {
    try {
      const saved = await callApi("saveBillingDetails", { body });
      queries.setQueryData(detailsQuery.queryKey, saved);
      return saved;
    } catch (error) {
      if (hasCode(error, "changed_elsewhere")) await queries.invalidateQueries({ queryKey: detailsQuery.queryKey });
      throw error;
    }
  };
  const save = useAction(async (body: BillingDetailsChange) => {
    const replaced = queries.getQueryData(detailsQuery.queryKey);
    // The input is based on other details than those known now: this page does not have the details that the save replaces, so nothing can
    // be undone.
    const before = replaced?.revision === body.revision ? replaced?.details : null;
    try {
      const saved = await change(body);
      take({ ...saved.details, revision: saved.revision });
      onClose();
      // Details saved elsewhere since then have another revision, so the undo is refused.
      if (before) notifyWithUndo(t("billing.details.saved"), { run: () => change({ ...before, revision: saved.revision }) });
      else notify("success", t("billing.details.saved"));
    } catch (error) {
      if (placeFieldErrors(error, names, form.setError)) return;
      // The notice below says so, once the current details are loaded.
      if (hasCode(error, "changed_elsewhere") && queries.getQueryData(detailsQuery.queryKey)?.revision !== body.revision) return;
      throw error;
    }
  });
  const cancel = () => {
    const entered = form.getValues();
    forgetDraft();
    onClose();
    if (!isTyped) return;
    notifyWithUndo(t("billing.details.discarded"), {
      done: t("billing.details.kept"),
      run: async () => {
        keepDraft(entered);
        onReopen();
      },
    });
  };
  const box = useRef<HTMLFormElement>(null);
  // Entries that were found again must not scroll the page to them.
  useFirstFocus(draft === known ? box : noForm);
  const { errors } = form.formState;
  const field = (name: (typeof names)[number]) => ({
    ...form.register(name, { onChange: typed }),
    label: t(`billing.details.${name}`),
    error: errors[name]?.message ? fieldMessage(errors[name].message) : undefined,
  });
  return (
    <form ref={box} noValidate onSubmit={(event) => void form.handleSubmit(save.run)(event)} className="grid gap-4 sm:grid-cols-6">
      {save.error ? <ErrorNotice error={save.error} title={t("billing.details.failed")} className="sm:col-span-6" /> : null}
      {isOutdated && isTyped ? (
        <div className="sm:col-span-6">
          <ChangedElsewhere
            title={t("billing.details.conflict")}
            lead={t("billing.details.conflictLead")}
            current={[detailsLine(known)]}
            keep={{
              label: t("billing.details.keepMine"),
              run: () => {
                form.setValue("revision", known.revision);
                typed();
              },
            }}
            take={{ label: t("billing.details.takeTheirs"), run: () => take(known) }}
          />
        </div>
      ) : null}
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
                typed();
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
      <div className="flex flex-wrap gap-2 sm:col-span-6">
        <Button type="submit" pending={save.pending} pendingText={t("billing.details.saving")}>
          {t("billing.details.save")}
        </Button>
        <Button tone="plain" onClick={cancel}>
          {t("common.cancel")}
        </Button>
      </div>
    </form>
  );
}

const detailsLine = ({ name, line1, line2, postalCode, city, country, vatId }: BillingDetailsChange): string =>
  [name, line1, line2, `${postalCode} ${city}`.trim(), country && countryName(country), vatId].filter(Boolean).join(", ");
