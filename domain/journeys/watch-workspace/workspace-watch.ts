/** Lets open panels follow their workspace: one listener for the whole process, notified by PostgreSQL. */

export interface WorkspaceWatch {
  /** Calls back after each change of this account's workspace, until the returned function is called; `onEnd` when no more will come. */
  follow(accountName: string, onChange: () => void, onEnd: () => void): () => void;
  /** A workspace changed: tell its followers. */
  changed(accountName: string): void;
  /** The connection to the database was lost for a while: anything may have changed. */
  changedAll(): void;
  /** The program is stopping: streams are closed cleanly, so that panels can tell. */
  close(): void;
}

interface Follower {
  onChange: () => void;
  onEnd: () => void;
}

/** An empty watch. */
export function createWorkspaceWatch(): WorkspaceWatch {
  const followers = new Map<string, Set<Follower>>();
  const tell = (set: Set<Follower> | undefined) => set?.forEach(({ onChange }) => onChange());
  return {
    follow(accountName, onChange, onEnd) {
      const follower = { onChange, onEnd };
      const set = followers.get(accountName) ?? new Set();
      followers.set(accountName, set.add(follower));
      return () => {
        set.delete(follower);
        if (set.size === 0 && followers.get(accountName) === set) followers.delete(accountName);
      };
    },
    changed: (accountName) => tell(followers.get(accountName)),
    changedAll: () => followers.forEach((set) => tell(set)),
    close: () => followers.forEach((set) => set.forEach(({ onEnd }) => onEnd())),
  };
}
