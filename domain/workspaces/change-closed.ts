/** Thrown inside the transaction that would write to a restore or update that somebody ended meanwhile, so that nothing of it remains. */
export class ChangeClosed extends Error {
  constructor(id: string) {
    super(`the restore or update ${id} has ended already`);
    this.name = "ChangeClosed";
  }
}
