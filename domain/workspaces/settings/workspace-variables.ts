/**
 * The owner's environment variables, stored with the secrets of their workspace: sealed in the database, and re-encrypted when the key is
 * replaced. Like the keys, they stay for the account's next workspace: workflows restored there from a last backup need them.
 */

import { isReservedVariable } from "#contract/workspaces/variable.ts";

export interface StoredVariable {
  name: string;
  value: string;
  /** Not shown again after it is saved. */
  isSecret: boolean;
}

export interface StoredVariables {
  /** Grows with each change. */
  revision: number;
  variables: StoredVariable[];
}

/** A name among the secrets made by an engine. */
const key = "variables";

type OpenedSecrets = Readonly<Record<string, string>>;

/** Empty if the owner has set none. */
export const readVariables = (secrets: OpenedSecrets): StoredVariables =>
  secrets[key] === undefined ? { revision: 0, variables: [] } : (JSON.parse(secrets[key]) as StoredVariables);

/** The secrets with these variables instead of the previous ones. */
export const withVariables = (secrets: OpenedSecrets, stored: StoredVariables): OpenedSecrets => ({
  ...secrets,
  [key]: JSON.stringify(stored),
});

/** A setting of the tool itself that an owner may choose, although its name is otherwise reserved. The engine lists them. */
export interface OwnerSetting {
  name: string;
  accepts(value: string): boolean;
  /** Which values it accepts, shown to the owner: technical words that are not translated. */
  values: string;
}

/** Why a variable cannot be set; undefined if it can. Checked when it is saved, and again at every start. */
export function refusalOf(
  { name, value }: Pick<StoredVariable, "name" | "value">,
  settings: readonly OwnerSetting[],
): "variable.reserved" | "variable.setting_value" | undefined {
  const setting = settings.find((each) => each.name === name);
  if (setting) return setting.accepts(value) ? undefined : "variable.setting_value";
  return isReservedVariable(name) ? "variable.reserved" : undefined;
}
