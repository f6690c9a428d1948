/**
 * The full name of an image that a spec names, with its digest if the operator gave one: then only those bytes are started, even if someone
 * moves the tag. `images` is the registry and its folder, without a slash at the end.
 */
export function nameImage({ images, digests = {} }: { images: string; digests?: Readonly<Record<string, string>> }, image: string): string {
  const digest = Object.hasOwn(digests, image) ? digests[image] : undefined;
  return `${images}/${digest === undefined ? image : `${image.split(":")[0]}@${digest}`}`;
}
