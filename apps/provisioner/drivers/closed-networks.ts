/**
 * What no workspace may reach: every IPv4 address outside the public internet, by IANA's special-purpose registry (RFC 6890 and its
 * successors). The blocks for documentation are left out: none is routed anywhere, and simulated internets in tests need addresses too.
 * Also 168.63.129.16: a public address at which Azure gives a machine's own keys to any caller on that machine.
 */
export const closedNetworks = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "168.63.129.16/32",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "224.0.0.0/3",
] as const;
