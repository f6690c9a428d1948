/**
 * The full name of an image that a spec names. By its digest where the operator gave one: then nothing but those bytes is started, also if
 * someone moves the tag. `images` is the registry and its folder, without a slash at the end.
 */
export function nameImage({ images, digests = {} }: { images: string; digests?: Readonly<Record<string, string>> }, image: string): string {
  const digest = Object.hasOwn(digests, image) ? digests[image] : undefined;
  return `${images}/${digest === undefined ? image : `${image.split(":")[0]}@${digest}`}`;
}
