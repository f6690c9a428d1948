/**
 * The owner's environment variables, stored with the secrets of their workspace: sealed in the database, and re-encrypted when the key is
 * replaced. Like the keys, they stay for the account's next workspace: workflows restored there from a last backup need them.
 */

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
