/**
 * Thrown inside a transaction that would continue a restore, an update, a deletion or a start that was ended meanwhile, so that all of it
 * is undone.
 */
export class ChangeClosed extends Error {
  constructor(id: string) {
    super(`the restore, update, deletion or start ${id} is not wanted any more`);
    this.name = "ChangeClosed";
  }
}
