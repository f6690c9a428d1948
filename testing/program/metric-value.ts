/** Reads the text that Prometheus scrapes. */

/** The value of the only line with this name and these labels. */
export function metricValue(text: string, name: string, labels: Record<string, string> = {}): number | undefined {
  const found = text.split("\n").filter((line) => {
    const series = line.slice(0, line.lastIndexOf(" "));
    return series.split("{")[0] === name && Object.entries(labels).every(([label, value]) => series.includes(`${label}="${value}"`));
  });
  if (found.length > 1) throw new Error(`${found.length} lines fit ${name} ${JSON.stringify(labels)}`);
  return found[0] === undefined ? undefined : Number(found[0].split(" ").at(-1));
}
