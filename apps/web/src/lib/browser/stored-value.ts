/** The browser's storage. If it is full, blocked or absent, a warning is logged and defaults are used. */
export interface StoredValues {
  /** The value; null if there is none, `undefined` if it cannot be read. */
  read(key: string): string | null | undefined;
  /** False if the value could not be stored. */
  write(key: string, value: string): boolean;
  remove(key: string): void;
}

interface ListedValues extends StoredValues {
  keys(): string[];
}

/** Wraps a storage so that its failures never reach the user. */
export function storedValues(storage: () => Storage, warn: (message: string, cause: unknown) => void): ListedValues {
  const attempt = <T>(use: (storage: Storage) => T, otherwise: T): T => {
    try {
      return use(storage());
    } catch (cause) {
      warn("Browser storage is not available; defaults are used.", cause);
      return otherwise;
    }
  };
  return {
    read: (key) => attempt((storage) => storage.getItem(key), undefined),
    write: (key, value) => attempt((storage) => (storage.setItem(key, value), true), false),
    remove: (key) => attempt((storage) => storage.removeItem(key), undefined),
    keys: () => attempt((storage) => Object.keys(storage), []),
  };
}

const warn = (message: string, cause: unknown): void => console.warn(message, cause);

export const localValues = storedValues(() => localStorage, warn);
export const sessionValues = storedValues(() => sessionStorage, warn);
