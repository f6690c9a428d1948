/**
 * What browsers take for one site, by the Public Suffix List, with the suffixes of companies such as github.io. The list is as old as the
 * installed `tldts` (decision 0200).
 */
import { getDomain, parse } from "tldts";

/** The name below the public suffix, such as `example.co.uk`; a host that is a suffix itself is its own site. */
export const siteOf = (host: string): string => getDomain(host, { allowPrivateDomains: true }) ?? host;

/**
 * Whether everyone may register names below it, as below `co.uk`. False for names of one word, which a local network may have, and for the
 * suffixes of companies: a service may be in the list with its own name, to keep its workspaces apart.
 */
export const isRegistrySuffix = (host: string): boolean => {
  const { publicSuffix, isIcann } = parse(host, { allowPrivateDomains: true });
  return isIcann === true && publicSuffix === host && host.includes(".");
};
