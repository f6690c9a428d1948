/**
 * Draws the pictures of lucide-react. The build replaces the library's own function with this one, because that can do more than any page
 * here needs and costs the sign-in page 2 KB.
 */
import { createElement, type SVGProps } from "react";

interface IconData {
  node: readonly (readonly [tag: string, attributes: Readonly<Record<string, string>>])[];
}

const look = {
  width: 24,
  height: 24,
  viewBox: "0 0 24 24",
  fill: "none",
  stroke: "currentColor",
  strokeWidth: 2,
  strokeLinecap: "round",
  strokeLinejoin: "round",
} as const;

/** An icon as a component; hidden from screen readers, because the text beside it says the same. */
export default function createIcon({ node }: IconData) {
  return (props: SVGProps<SVGSVGElement>) =>
    createElement("svg", { ...look, "aria-hidden": true, ...props }, ...node.map(([tag, attributes]) => createElement(tag, attributes)));
}
