/** The public node catalogue: the same for every visitor, and without customer data. */
import { routes } from "#contract/routes.ts";
import { askCatalogue } from "#domain/node-catalogue/ask-catalogue.ts";
import { AppError } from "#platform/app-error.ts";
import type { Mount, Services } from "../services.ts";

/** An icon is loaded by `img` only; if it were ever opened as a page, nothing in it may run or load. */
const iconPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

export function nodeCatalogueRoutes(mount: Mount, services: Pick<Services, "nodeCatalogue" | "introspection">): void {
  mount(
    routes.graphql,
    async ({ body }) => {
      const { data, errors } = await askCatalogue(await services.nodeCatalogue.current(), body, { introspection: services.introspection });
      return { ...(data === undefined ? {} : { data }), ...(errors ? { errors: errors.map((error) => ({ ...error.toJSON() })) } : {}) };
    },
    // The page asks once; a developer who tries out queries asks a few times.
    { perMinute: 120 },
  );

  mount(
    routes.nodeIcon,
    async ({ query, reply }) => {
      const { nodes } = await services.nodeCatalogue.current();
      const icon = nodes.find(({ name }) => name === query.name)?.icon;
      if (!icon) throw new AppError("not_found");
      void reply.header("content-security-policy", iconPolicy);
      // The URL contains the version, so its content never changes; without a version it may.
      void reply.header("cache-control", query.version ? "public, max-age=31536000, immutable" : "no-cache");
      await reply.code(200).type(icon.mime).send(Buffer.from(icon.base64, "base64"));
    },
    // A page of five hundred icons, scrolled through twice.
    { perMinute: 1500 },
  );
}
