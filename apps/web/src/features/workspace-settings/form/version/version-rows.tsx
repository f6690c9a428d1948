import { ExternalLink } from "lucide-react";
import { useId } from "react";
import type { InstanceVersion } from "#contract/workspaces/workspace-settings.ts";
import { dateFormat } from "../../../../lib/formats.ts";
import { classNames } from "../../../../ui/class-names.ts";
import { t } from "../../words.ts";
import type { SettingsForm } from "../use-settings-form.ts";
import { ReleaseChanges } from "./release-changes.tsx";

interface VersionRowsProps {
  versions: readonly InstanceVersion[];
  /** The desired version. */
  current: string;
  /** The running one, if it differs. */
  running: string | undefined;
  chosen: string;
  field: VersionRowProps["field"];
}

/** A row for each release, which chooses it. */
export const VersionRows = ({ versions, current, running, chosen, field }: VersionRowsProps) => (
  <div className="divide-y divide-line rounded-lg border border-line-strong max-sm:min-h-[334px]">
    {versions.map((version) => (
      <VersionRow
        key={version.name}
        version={version}
        mark={markOf(version.name, current, running)}
        isChosen={version.name === chosen}
        field={field}
      />
    ))}
  </div>
);

const date = dateFormat({ dateStyle: "medium" });

/** During an update, the running version is the current one. */
const markOf = (name: string, desired: string, running: string | undefined): VersionRowProps["mark"] =>
  name === (running ?? desired) ? "current" : name === desired ? "coming" : null;

interface VersionRowProps {
  version: InstanceVersion;
  mark: "current" | "coming" | null;
  isChosen: boolean;
  field: ReturnType<SettingsForm["form"]["register"]>;
}

function VersionRow({ version: { name, releasedAt, needsMigration, isPossible, changes, notes }, mark, isChosen, field }: VersionRowProps) {
  const id = useId();
  return (
    <div className={classNames("flex flex-wrap items-center gap-x-4 gap-y-1 px-3.5 py-2.5 text-sm", isChosen && "bg-accent-soft")}>
      <label
        className={classNames(
          "flex min-h-8 flex-1 basis-40 items-center gap-2.5 font-medium",
          isPossible ? "cursor-pointer" : "text-ink-soft",
        )}
      >
        <input
          {...field}
          type="radio"
          value={name}
          disabled={!isPossible}
          aria-describedby={`${id}-note`}
          className="size-4 accent-accent"
        />
        <span className="tabular-nums">{name}</span>
        {mark ? (
          <span className="rounded-full bg-sunken px-2 py-0.5 text-xs font-semibold text-ink-soft">{t(`settings.${mark}`)}</span>
        ) : null}
      </label>
      <span className="text-ink-soft max-md:basis-full max-md:pl-6.5">
        {t("settings.released", { date: date.format(new Date(releasedAt)) })}
      </span>
      {notes ? (
        <a
          href={notes}
          target="_blank"
          rel="noreferrer"
          className="link inline-flex min-h-6 items-center gap-1 max-md:basis-full max-md:pl-6.5"
        >
          {t("settings.notes")}
          <span className="sr-only">{t("settings.notesOf", { version: name })}</span>
          <ExternalLink className="size-3.5" aria-hidden="true" />
        </a>
      ) : null}
      <div className="w-full">
        {changes ? (
          <ReleaseChanges changes={changes} />
        ) : (
          <p className="pl-6.5 text-[0.8125rem] text-ink-soft">{t("settings.changes.oldest")}</p>
        )}
      </div>
      <span
        id={`${id}-note`}
        className={classNames("w-full pl-6.5 text-[0.8125rem] text-ink-soft empty:hidden", needsMigration && "text-warning")}
      >
        {isPossible ? (needsMigration ? `${t("settings.needsMigration")} ${t("settings.noDowngrade")}` : "") : t("settings.notPossible")}
      </span>
    </div>
  );
}
