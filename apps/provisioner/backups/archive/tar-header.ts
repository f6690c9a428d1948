/**
 * Headers of tar entries with names as raw bytes, as in file systems. tar-stream writes every name as UTF-8, and gets dates after 2038
 * wrong.
 */
import { isUtf8 } from "node:buffer";

interface TarEntry {
  /** One character per byte (latin1). */
  name: string;
  isFolder: boolean;
  /** Size of the content in bytes. */
  size: number;
  /** The owner's permission bits. */
  mode: number;
  modifiedAt: Date;
}

export const blockBytes = 512;
const nameBytes = 100;
/** The largest value of eleven octal digits: 8 GB, or seconds until the year 2242. */
const mostOctal = 8 ** 11 - 1;
const posix = "ustar\x0000";
const gnu = "ustar  \0";

/** The header block of an entry; longer or unusual names are in a separate entry before it. */
export function tarHeader({ name, isFolder, ...entry }: TarEntry): Buffer {
  const bytes = Buffer.from(isFolder ? `${name}/` : name, "latin1");
  const type = isFolder ? "5" : "0";
  if (bytes.length <= nameBytes && bytes.every((byte) => byte < 128)) return block({ ...entry, type, name: bytes, magic: posix });
  // A pax header declares the name to be UTF-8, as Windows needs; GNU's long-name entry declares no encoding.
  const [kind, longName, magic] = isUtf8(bytes)
    ? (["x", paxPath(bytes), posix] as const)
    : (["L", Buffer.concat([bytes, Buffer.alloc(1)]), gnu] as const);
  const naming = block({
    type: kind,
    name: Buffer.from("././@LongLink"),
    size: longName.length,
    mode: 0o600,
    modifiedAt: new Date(0),
    magic,
  });
  return Buffer.concat([naming, longName, tarPadding(longName.length), block({ ...entry, type, name: bytes, magic })]);
}

/** The padding after a content of `size` bytes. */
export const tarPadding = (size: number): Buffer => Buffer.alloc((blockBytes - (size % blockBytes)) % blockBytes);

/** A pax record begins with its own length, which counts its own digits. */
function paxPath(name: Buffer): Buffer {
  const rest = Buffer.concat([Buffer.from(" path="), name, Buffer.from("\n")]);
  let length = rest.length;
  while (length !== rest.length + String(length).length) length = rest.length + String(length).length;
  return Buffer.concat([Buffer.from(String(length)), rest]);
}

interface Block extends Omit<TarEntry, "name" | "isFolder"> {
  type: string;
  name: Buffer;
  magic: string;
}

function block({ type, name, size, mode, modifiedAt, magic }: Block): Buffer {
  const head = Buffer.alloc(blockBytes);
  name.copy(head, 0, 0, nameBytes);
  head.write(octal(mode, 7), 100);
  // Unpacked files belong to the user who unpacks them.
  for (const place of [108, 116]) head.write(octal(0, 7), place);
  if (size <= mostOctal) {
    head.write(octal(size, 11), 124);
  } else {
    head[124] = 0x80;
    head.writeBigUInt64BE(BigInt(size), 128);
  }
  head.write(octal(Math.min(Math.max(Math.trunc(modifiedAt.getTime() / 1000) || 0, 0), mostOctal), 11), 136);
  head.write(type, 156);
  head.write(magic, 257);
  // The checksum is computed with blanks in its own field.
  head.fill(" ", 148, 156);
  head.write(
    `${octal(
      head.reduce((sum, byte) => sum + byte, 0),
      6,
    )}\0`,
    148,
  );
  return head;
}

const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, "0");
