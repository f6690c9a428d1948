/** Answers a proxy's questions about host names with the same lookup that the gateway uses. */
import { allowCertificate } from "#domain/accounts/certificate-store.ts";
import { prepareRouteLookup } from "#domain/workspaces/workspace-store.ts";
import { openInnerPort, type InnerAddress, type InnerPort } from "../open-inner-port.ts";
import type { Parts } from "../parts/open-parts.ts";
import { gatewayRoute } from "../roles/start-gateway.ts";
import { answerAsks } from "./answer-asks.ts";

interface AskParts extends Pick<Parts, "db" | "log"> {
  config: Pick<Parts["config"], "panelHost"> & Partial<Pick<Parts["config"], "apiHosts">>;
  metrics: Pick<NonNullable<Parts["metrics"]>, "certificateRefused"> | null;
}

/**
 * Listens at this address; at most `perWeek` hosts are allowed a first certificate in seven days. Throws StartTrouble if the address can't
 * be used.
 */
export function serveAsks(
  { config: { panelHost, apiHosts = [] }, db, log, metrics }: AskParts,
  { perWeek, ...at }: InnerAddress & { perWeek: number },
): Promise<InnerPort> {
  const lookUp = prepareRouteLookup(db);
  const hasWorkspace = async (accountName: string): Promise<boolean> => {
    const facts = await lookUp(accountName);
    return facts !== null && gatewayRoute(facts) !== null;
  };
  const isWithinBound = (accountName: string) => allowCertificate(db, accountName, perWeek);
  const refused = () => metrics?.certificateRefused();
  return openInnerPort(answerAsks({ panelHost, apiHosts, hasWorkspace, isWithinBound, refused, log }), at, {
    what: "Host names for certificates",
    settings: "CERTIFICATES_PORT or CERTIFICATES_HOST",
  });
}
