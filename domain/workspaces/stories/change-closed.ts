/** Thrown inside the transaction that would go on with a restore, an update, a deletion or a start that somebody ended meanwhile, so that nothing of it remains. */
export class ChangeClosed extends Error {
  constructor(id: string) {
    super(`the restore, update, deletion or start ${id} is not wanted any more`);
    this.name = "ChangeClosed";
  }
}
