/** Lets open panels follow their workspace: one listener for the whole process, told by PostgreSQL. */

export interface WorkspaceWatch {
  /** Calls back after each change of the workspace of this account name, until the returned function is called. */
  follow(accountName: string, onChange: () => void): () => void;
  /** A workspace changed: tell whoever follows it. */
  changed(accountName: string): void;
  /** The connection to the database was lost for a while: anything may have changed. */
  changedAll(): void;
}

/** An empty watch. */
export function createWorkspaceWatch(): WorkspaceWatch {
  const followers = new Map<string, Set<() => void>>();
  const tell = (set: Set<() => void> | undefined) => set?.forEach((onChange) => onChange());
  return {
    follow(accountName, onChange) {
      const set = followers.get(accountName) ?? new Set();
      followers.set(accountName, set.add(onChange));
      return () => {
        set.delete(onChange);
        if (set.size === 0 && followers.get(accountName) === set) followers.delete(accountName);
      };
    },
    changed: (accountName) => tell(followers.get(accountName)),
    changedAll: () => followers.forEach(tell),
  };
}
