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

/** What a statement read, and how many rows it returned or changed. */
export interface Cost {
  /** Rows that scans produced or discarded, in all of its tables. */
  rowsRead: number;
  /** Pages of 8 KB, those of indexes included. */
  buffers: number;
  returned: number;
}

interface MeasuredNode {
  "Node Type": string;
  "Relation Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Index Recheck"?: number;
  "Shared Hit Blocks"?: number;
  "Shared Read Blocks"?: number;
  Plans?: MeasuredNode[];
}

/**
 * Runs the statement in a transaction that is rolled back, and returns what it read; null for one that has no plan. With `asIfLarge`, a
 * table is read as a whole only if no index fits: a small test then shows the plans of a large fleet.
 */
export async function measureQuery(pool: Pool, query: string, params: unknown[], { asIfLarge = false } = {}): Promise<Cost | null> {
  if (!/^\s*(select|insert|update|delete|with)/i.test(query)) return null;
  const client = await pool.connect();
  try {
    await client.query("begin");
    if (asIfLarge) await client.query("set local enable_seqscan = off");
    const explained = await client.query<{ "QUERY PLAN": { Plan: MeasuredNode }[] }>(
      `explain (analyze, buffers, format json) ${query}`,
      params,
    );
    const top = explained.rows[0]!["QUERY PLAN"][0]!.Plan;
    const changes = top["Node Type"] === "ModifyTable" ? top.Plans?.[0] : undefined;
    const returned = Math.max(rowsOf(top), changes ? rowsOf(changes) : 0);
    return { rowsRead: readBy(top), buffers: (top["Shared Hit Blocks"] ?? 0) + (top["Shared Read Blocks"] ?? 0), returned };
  } finally {
    await client.query("rollback").catch(() => undefined);
    client.release();
  }
}

const rowsOf = (node: MeasuredNode): number => node["Actual Rows"] * node["Actual Loops"];

function readBy(node: MeasuredNode): number {
  const below = (node.Plans ?? []).reduce((sum, each) => sum + readBy(each), 0);
  if (node["Relation Name"] === undefined || node["Node Type"] === "ModifyTable" || node["Node Type"] === "Bitmap Index Scan") return below;
  const discarded = (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0);
  return below + rowsOf(node) + discarded * node["Actual Loops"];
}
