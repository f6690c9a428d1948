/** What PostgreSQL reads to answer a query, by its plan. */
import type { Pool } from "pg";

interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  Plans?: PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** The tables that the query reads as a whole; null for a statement that has no plan. */
export async function tablesScanned(pool: Pool, query: string, params: unknown[]): Promise<string[] | null> {
  if (!/^\s*(select|insert|update|delete|with)/i.test(query)) return null;
  const explained = await pool.query<{ "QUERY PLAN": { Plan: PlanNode }[] }>(`explain (format json) ${query}`, params);
  const scans = nodesOf(explained.rows[0]!["QUERY PLAN"][0]!.Plan).filter((node) => node["Node Type"] === "Seq Scan");
  return scans.map((node) => node["Relation Name"] ?? "");
}
