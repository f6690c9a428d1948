import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useFrontEndConfig } from "../../../lib/front-end-config.ts";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { t } from "../words.ts";
import { t as ownText } from "./words.ts";
import { versionsQuery } from "../../workspace-settings/form/version/versions-query.ts";

interface VersionChoiceProps {
  /** "" is the newest one. */
  value: string;
  onChange: (version: string) => void;
  /** What surrounds the field, if there is a choice. */
  around?: (field: ReactNode) => ReactNode;
}

/**
 * The engine's version of a new workspace. If the versions could not be loaded, or there is only one, there is no choice: the newest is
 * launched.
 */
export function VersionChoice({ value, onChange, around = (field) => field }: VersionChoiceProps) {
  const { engine } = useFrontEndConfig();
  const { data } = useQuery(versionsQuery("new"));
  const [newest, ...older] = data?.versions ?? [];
  if (!newest || older.length === 0) return null;
  const label = ownText("versionChoice.label", { engine: t(`workspace.engines.${engine}`) });
  const options = [
    { value: "", label: ownText("versionChoice.newest", { version: newest.name }) },
    ...older.map(({ name }) => ({ value: name, label: name })),
  ];
  return around(
    <SelectField
      label={label}
      hint={ownText("versionChoice.hint")}
      options={options}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />,
  );
}
