/** The analytics events, each with its fields. */
export interface AnalyticsEvents {
  "User signed in": object;
  "User signed out": object;
  "User selected app": { apps: readonly string[]; app_count: number };
  "search term": { search_string: string; results_count: number };
  "User is part of experiment": { name: string; variant: string };
  "Checkout loaded": { plan_id: string };
  "payment complete": { plan_id: string };
}

export type EventName = keyof AnalyticsEvents;

/** What analytics may know about a user. */
export interface KnownPerson {
  id: string;
  username: string;
  name: string;
  email: string;
  confirmed: boolean;
}

/** The port: where events go. An adapter is made only once there are a key and a permission. */
export interface AnalyticsAdapter {
  /** How long after a navigation the page is reported; by then it has settled. */
  pageDelayMs: number;
  /** Null after signing out. */
  identify(person: KnownPerson | null): void;
  page(path: string): void;
  track(name: EventName, fields: object): void;
}
