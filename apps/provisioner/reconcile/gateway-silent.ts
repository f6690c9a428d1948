/** The gateway answers nothing, also not for itself: no workspace is to blame for that. */
export class GatewaySilent extends Error {
  override readonly name = "GatewaySilent";
  constructor() {
    super("the gateway does not answer");
  }
}
