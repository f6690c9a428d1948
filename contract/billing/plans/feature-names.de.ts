/** The names of plan features in German. */
import type { featureNames } from "./feature-names.ts";

export const germanFeatureNames: Readonly<Record<keyof typeof featureNames, string>> = {
  "advanced-permissions": "Erweiterte Berechtigungen",
  "admin-roles": "Admin-Rollen",
  "global-variables": "Globale Variablen",
  "execution-search": "Suche in Ausführungen",
  ldap: "LDAP",
  environments: "Umgebungen",
  "external-secrets": "Externe Secrets",
  "log-streaming": "Log-Streaming",
  "version-control": "Versionsverwaltung",
  scaling: "Skalierung",
  "extended-retention": "Längere Aufbewahrung",
  "dedicated-support": "Persönlicher Support",
  "invoice-billing": "Zahlung auf Rechnung",
};
