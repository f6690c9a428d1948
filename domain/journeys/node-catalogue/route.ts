/** The node catalogue, for anybody: it is the same for all, and says nothing of anybody. */
import { routes } from "#contract/routes.ts";
import { askCatalogue } from "#domain/node-catalogue/ask-catalogue.ts";
import { AppError } from "#platform/app-error.ts";
import type { Mount, Services } from "../services.ts";

/** A picture is opened by `img` only; were one ever opened as a page, nothing in it may run or load. */
const iconPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

export function nodeCatalogueRoutes(mount: Mount, services: Pick<Services, "nodeCatalogue" | "introspection">): void {
  mount(
    routes.graphql,
    async ({ body }) => {
      const { data, errors } = await askCatalogue(await services.nodeCatalogue.current(), body, { introspection: services.introspection });
      return { ...(data === undefined ? {} : { data }), ...(errors ? { errors: errors.map((error) => ({ ...error.toJSON() })) } : {}) };
    },
    // The page asks once; a tool that tries questions out asks a few times.
    { perMinute: 120 },
  );

  mount(
    routes.nodeIcon,
    async ({ query, reply }) => {
      const { nodes } = await services.nodeCatalogue.current();
      const icon = nodes.find(({ name }) => name === query.name)?.icon;
      if (!icon) throw new AppError("not_found");
      void reply.header("content-security-policy", iconPolicy);
      // The address carries the version, so what it shows never changes; without one it may.
      void reply.header("cache-control", query.version ? "public, max-age=31536000, immutable" : "no-cache");
      await reply.code(200).type(icon.mime).send(Buffer.from(icon.base64, "base64"));
    },
    // A page of five hundred pictures, scrolled through twice.
    { perMinute: 1500 },
  );
}
