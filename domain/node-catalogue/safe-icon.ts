/**
 * Which of an engine's pictures are served. They come from packages that others publish: a drawing that could run code, or load something
 * from elsewhere, is left out, although the panel shows pictures by `img`, where neither works.
 */
import type { CatalogueIcon, CatalogueNode } from "./catalogue.ts";

/**
 * Scripts, handlers, foreign content, styles that are fetched, and definitions of a document type with anything but plain texts; an element
 * may have a prefix.
 */
const active =
  /<(?:[\w.-]+:)?(?:script|foreignObject|iframe|embed|object|animate[^>]+href|set[^>]+href)|\son\w+\s*=|javascript:|@import|image-set|<!ATTLIST|<!ENTITY(?!\s+[\w.-]+\s+(?:"[^"<&%]*"|'[^'<&%]*')\s*>)/i;
/** Other ways to write these: character references, escapes of CSS, and encodings that are not read here. No drawing needs them. */
// oxlint-disable-next-line no-control-regex
const disguised = /&#|\\|[\u0000\u001b]/;
/** Allowed references: a part of the drawing, or a picture inside it. */
const reference = /(?:\b(?:href|src|srcset|poster)\s*=\s*|url\(\s*)(?:"|'|&quot;)?\s*([^"'\s)>]+)/gi;

/** The node, without its picture if that is not a plain drawing. */
export function withSafeIcon(node: CatalogueNode): CatalogueNode {
  return node.icon && !isSafe(node.icon) ? { ...node, icon: null } : node;
}

function isSafe({ mime, base64 }: CatalogueIcon): boolean {
  if (mime !== "image/svg+xml") return true;
  const text = Buffer.from(base64, "base64").toString("utf8");
  if (!text.includes("<svg") || active.test(text) || disguised.test(text)) return false;
  return [...text.matchAll(reference)].every(
    ([, target = ""]) => target.startsWith("#") || /^data:image\/(png|jpeg|gif|webp)[;,]/.test(target),
  );
}
