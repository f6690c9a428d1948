/** Sentry's client, only for sending: no globals, no breadcrumbs, no session replay. A separate chunk. */
import { BrowserClient, defaultStackParser, makeFetchTransport, Scope } from "@sentry/browser";
import { scrub, scrubText } from "#contract/api/scrub.ts";
import type { ReportPlace } from "./error-reports.ts";

/** Sends errors, without secrets, addresses and query strings. */
export function createSentrySender({ dsn, environment }: ReportPlace): (error: unknown) => void {
  const client = new BrowserClient({
    dsn,
    environment,
    transport: makeFetchTransport,
    stackParser: defaultStackParser,
    integrations: [],
    beforeSend: (event) => {
      for (const error of event.exception?.values ?? []) error.value = scrubText(error.value ?? "");
      const { message, extra } = event;
      return {
        ...event,
        ...(message === undefined ? {} : { message: scrubText(message) }),
        ...(extra ? { extra: scrub(extra) as typeof extra } : {}),
        request: { url: location.origin + location.pathname },
      };
    },
  });
  const scope = new Scope();
  scope.setClient(client);
  client.init();
  return (error) => void scope.captureException(error);
}
