/** An answer that redirects: a handler returns it if its call allows that. */
export class Redirect {
  readonly url: string;
  constructor(url: string) {
    this.url = url;
  }
}
