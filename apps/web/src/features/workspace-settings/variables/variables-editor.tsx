import { queryOptions, useQuery } from "@tanstack/react-query";
import { Plus, Undo2 } from "lucide-react";
import { useEffect, useRef } from "react";
import { mostVariables } from "#contract/workspaces/workspace-values.ts";
import { callApi } from "../../../lib/api/api-client.ts";
import { number } from "../../../lib/formats.ts";
import { holdInput } from "../../../lib/forms/unsaved-input.ts";
import { Button } from "../../../ui/button.tsx";
import { ErrorNotice } from "../../../ui/notices/error-notice.tsx";
import { Notice } from "../../../ui/notices/notice.tsx";
import { StateMark } from "../../../ui/marks/state-mark.tsx";
import { t as settingsText } from "../words.ts";
import type { RefusedPaste } from "./edited.ts";
import { useVariables, type FirstStep, type SavedVariables } from "./use-variables.ts";
import { VariableForm } from "./variable-form.tsx";
import { LineButtons, VariableLine } from "./variable-line.tsx";
import { isEntered, listedRows, type VariableRow } from "./variable-rows.ts";
import { t } from "./words.ts";

const tones = { new: "accent", changed: "accent", removed: "plain", refused: "bad" } as const;

const Mark = ({ name }: { name: keyof typeof tones }) => (
  <StateMark tone={tones[name]} className="font-sans">
    {t(`variables.marks.${name}`)}
  </StateMark>
);

/** They change only with the service. */
const settingsQuery = queryOptions({
  queryKey: ["workspace", "variable-settings"],
  queryFn: ({ signal }) => callApi("listVariableSettings", { signal }),
  staleTime: Infinity,
});

interface VariablesEditorProps {
  saved: SavedVariables;
  steps: readonly FirstStep[];
  /** The name of the tool in the workspace. */
  engine: string;
  onUnsaved: (isUnsaved: boolean) => void;
}

/** Edits the variables in their list, each in its place; they are saved together. */
export default function VariablesEditor({ saved, steps, engine, onUnsaved }: VariablesEditorProps) {
  const known = useQuery(settingsQuery).data;
  const settings = known?.settings ?? [];
  const edited = useVariables(saved, steps, (name) => !known?.onlySettingsRestart || settings.some((each) => each.name === name));
  const { from, rows, unsaved } = edited;
  const isUnsaved = unsaved > 0;
  useEffect(() => onUnsaved(isUnsaved), [isUnsaved, onUnsaved]);
  useEffect(() => (isUnsaved ? holdInput("variables") : undefined), [isUnsaved]);
  const hintOf = (name: string) => {
    const values = settings.find((each) => each.name === name)?.values;
    return values === undefined ? undefined : t("variables.accepts", { engine, values });
  };
  const list = useRef<HTMLUListElement>(null);
  const adder = useRef<HTMLDivElement>(null);
  const refusalOf = ({ why, count, most }: RefusedPaste) => (
    <Notice tone="warning" title={t(`variables.paste.${why}`)}>
      {t(`variables.paste.${why}Text`, { count: number.format(count), most: number.format(most), possible: mostVariables })}
    </Notice>
  );
  /** The keyboard stays where it was, once the line has taken the form's place. */
  const focusLine = (place: number) =>
    requestAnimationFrame(() => {
      const button = list.current?.children[place]?.querySelector<HTMLElement>("button") ?? adder.current?.querySelector("button");
      button?.focus();
    });
  const paste = async (into: VariableRow, text: string, place: number) => {
    await edited.paste(
      into,
      text,
      settings.map(({ name }) => name),
    );
    // Unless it is in a form that stayed, or that shows what is wrong.
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) focusLine(place);
    });
  };
  const markOf = (row: VariableRow) => {
    const { name, value } = edited.errorsOf(row);
    if (name || value) return <Mark name="refused" />;
    if (row.of === undefined) return <Mark name="new" />;
    return isEntered(row, from.variables) ? <Mark name="changed" /> : null;
  };
  const { refused } = edited;
  const isShownInForm = rows.some((row) => row.key === refused?.into && edited.isOpen(row));
  return (
    <>
      {/* What is typed while they are being saved would be neither saved nor kept. */}
      <fieldset disabled={edited.save.pending} className="min-w-0">
        {rows.length === 0 && from.variables.length === 0 ? (
          <p className="px-5 py-4 text-sm text-ink-soft sm:px-6">{t("variables.empty")}</p>
        ) : null}
        <ul ref={list} className="divide-y divide-line px-5 sm:px-6">
          {listedRows(from.variables, rows).map(({ saved: before, row }, place) => (
            <li key={row?.key ?? `removed ${before!.name}`}>
              {row && edited.isOpen(row) ? (
                <VariableForm
                  notice={refused?.into === row.key ? refusalOf(refused) : undefined}
                  row={row}
                  isKept={edited.isKept(row)}
                  hint={hintOf(row.name)}
                  errors={edited.errorsOf(row)}
                  onPaste={(text) => void paste(row, text, place)}
                  onChange={(part) => edited.change(row.key, part)}
                  onClose={() => {
                    edited.close(row);
                    focusLine(place);
                  }}
                  onRemove={() => {
                    edited.remove(row);
                    focusLine(place);
                  }}
                />
              ) : row ? (
                <VariableLine name={row.name} value={row.isSecret ? null : (row.value ?? null)} mark={markOf(row)}>
                  <LineButtons
                    name={row.name}
                    onEdit={() => edited.edit(row)}
                    onRemove={() => {
                      edited.remove(row);
                      focusLine(place);
                    }}
                  />
                </VariableLine>
              ) : (
                <VariableLine name={before!.name} value={null} mark={<Mark name="removed" />} isRemoved>
                  <Button
                    tone="quiet"
                    onClick={() => {
                      edited.restore(before!);
                      focusLine(place);
                    }}
                    aria-label={t("variables.restoreNamed", { name: before!.name })}
                    className="px-3"
                  >
                    <Undo2 className="size-4" aria-hidden="true" />
                    {t("common.undo")}
                  </Button>
                </VariableLine>
              )}
            </li>
          ))}
        </ul>
        <div ref={adder} className="space-y-4 border-t border-line px-5 py-4 sm:px-6">
          {refused && !isShownInForm ? refusalOf(refused) : null}
          {rows.length < mostVariables ? (
            <Button tone="plain" onClick={edited.add} className="max-sm:w-full">
              <Plus className="size-4" aria-hidden="true" />
              {t("variables.add")}
            </Button>
          ) : null}
          {settings.length > 0 ? (
            <details className="text-sm text-ink-soft">
              <summary className="w-fit cursor-pointer rounded-sm">{t("variables.settings", { count: settings.length, engine })}</summary>
              <p className="mt-2">
                {t("variables.settingsText", { engine })} {t("variables.settingsRestart", { engine })}
              </p>
              <dl className="mt-2 space-y-1.5">
                {settings.map(({ name, values }) => (
                  <div key={name}>
                    <dt className="font-mono text-xs [overflow-wrap:anywhere] text-ink">{name}</dt>
                    <dd className="text-[0.8125rem]">{values}</dd>
                  </div>
                ))}
              </dl>
            </details>
          ) : null}
        </div>
      </fieldset>
      {unsaved > 0 ? <SaveBar edited={edited} onDiscard={() => (edited.discard(), focusLine(-1))} /> : null}
    </>
  );
}

function SaveBar({ edited, onDiscard }: { edited: ReturnType<typeof useVariables>; onDiscard: () => void }) {
  const { unsaved, restarts, isOutdated, isReading, save, listError, otherError } = edited;
  return (
    <div className="space-y-4 border-t border-line bg-sunken px-5 py-4 sm:px-6">
      {isOutdated ? (
        <Notice
          tone="warning"
          title={t("variables.conflict")}
          action={
            <Button tone="plain" onClick={edited.rebase}>
              {t("variables.rebase")}
            </Button>
          }
        >
          {t("variables.conflictText")}
        </Notice>
      ) : listError ? (
        <Notice tone="danger" title={t("variables.saveFailed")}>
          {listError}
        </Notice>
      ) : otherError ? (
        <ErrorNotice error={otherError} title={t("variables.saveFailed")} />
      ) : null}
      <p className="text-sm text-ink-soft">
        {t(`variables.takesEffect.${restarts ? "restart" : "running"}`)} {t("variables.kept")}
      </p>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button
          disabled={isOutdated || isReading}
          pending={save.pending}
          pendingText={settingsText("settings.saving")}
          onClick={() => void save.run()}
          className="max-sm:w-full"
        >
          {restarts ? settingsText("settings.confirm") : t("variables.save")}
        </Button>
        <Button tone="quiet" disabled={save.pending} onClick={onDiscard}>
          {settingsText("settings.discard")}
        </Button>
        <p className="text-sm text-ink-soft">{settingsText("settings.unsaved", { count: unsaved })}</p>
      </div>
    </div>
  );
}
