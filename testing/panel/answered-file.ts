import type { Readable } from "node:stream";

/** A file as an answer of the stand-in of the API: what the API sends with its name. */
export class AnsweredFile {
  readonly name: string;
  readonly type: string;
  readonly content: Readable | Buffer;

  constructor(name: string, type: string, content: Readable | Buffer) {
    this.name = name;
    this.type = type;
    this.content = content;
  }
}
