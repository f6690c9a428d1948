/** An answer that lies somewhere else: a handler returns it where its call says that it may. */
export class Redirect {
  readonly url: string;
  constructor(url: string) {
    this.url = url;
  }
}
