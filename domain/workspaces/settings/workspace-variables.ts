/**
 * The owner's environment variables, kept with the secrets of their workspace: sealed in the database and replaced with its
 * key. They stay for the account's next workspace, as the keys do: workflows of a last backup that is restored there need them.
 */

export interface StoredVariable {
  name: string;
  value: string;
  /** Not shown again once it is saved. */
  isSecret: boolean;
}

export interface StoredVariables {
  /** Grows with each change. */
  revision: number;
  variables: StoredVariable[];
}

/** Among the names of what an engine made. */
const key = "variables";

type OpenedSecrets = Readonly<Record<string, string>>;

/** None where the owner has set none. */
export const readVariables = (secrets: OpenedSecrets): StoredVariables =>
  secrets[key] === undefined ? { revision: 0, variables: [] } : (JSON.parse(secrets[key]) as StoredVariables);

/** The secrets with these variables in place of those before. */
export const withVariables = (secrets: OpenedSecrets, stored: StoredVariables): OpenedSecrets => ({
  ...secrets,
  [key]: JSON.stringify(stored),
});
