/** Where a workspace in a sandbox finds its data, the engines and Node: the same on every host, so that no path tells anything about it. */
import { dataFolder, enginesInImage } from "../../container/image-places.ts";
import type { HostPlaces } from "../../container/launch-order.ts";

/** The workspace's data: `{{folder}}`, and where its processes start. The same word as in containers. */
export const dataInView = dataFolder;

const nodeInView = "/opt/slipway/node/node";

/**
 * Where the view shows these places of the host. A Node below /usr stays there: all of /usr is in the view, and other programs beside that
 * Node are named by the same path.
 */
export const placesInView = ({ nodeBinary }: HostPlaces): HostPlaces => ({
  enginesDir: enginesInImage,
  nodeBinary: nodeBinary.startsWith("/usr/") ? nodeBinary : nodeInView,
});
