/** Thrown inside the transaction that would go on with a restore, an update or a deletion that somebody ended meanwhile, so that nothing of it remains. */
export class ChangeClosed extends Error {
  constructor(id: string) {
    super(`the restore, update or deletion ${id} has ended already`);
    this.name = "ChangeClosed";
  }
}
