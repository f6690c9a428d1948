/** Pages and layouts in the form the router expects. */
import type { ComponentType } from "react";
import type { RouteObject } from "react-router";
import { spokenLanguage } from "../words/spoken.ts";
import { loadPage } from "./faults/load-page.ts";
import { displayTimezone } from "./formats.ts";
import { useStore } from "./store.ts";

/** The component, drawn again in another language or timezone. It stays the same component, so that typed text and focus are kept. */
export function spoken(Inner: ComponentType): ComponentType {
  return function Spoken() {
    useStore(spokenLanguage);
    useStore(displayTimezone);
    return <Inner />;
  };
}

type PageModule = { Component: ComponentType } & Pick<RouteObject, "handle" | "loader">;

/** A page or layout in a separate chunk, with its words. */
export const page = (load: () => Promise<PageModule>) => async (): Promise<PageModule> => {
  const { Component, ...rest } = await loadPage(load);
  return { ...rest, Component: spoken(Component) };
};
