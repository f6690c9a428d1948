/** The parts of OpenAPI and JSON Schema that the contract's document uses. */

export interface Schema {
  $ref?: string;
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  description?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
}

export type Content = { content?: Record<string, { schema?: Schema }>; description?: string };

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema?: Schema;
  description?: string;
}

export interface Operation {
  summary?: string;
  tags?: string[];
  security?: unknown[];
  parameters?: Parameter[];
  requestBody?: Content;
  responses?: Record<string, Content>;
}

export type Schemas = Record<string, Schema>;

export interface ApiDocument {
  info: { title: string; description?: string };
  paths?: Record<string, Record<string, Operation>>;
  components?: { schemas?: Schemas };
}

/** The schema of a request's or answer's body, if it has one. */
export const bodySchema = ({ content }: Content = {}): Schema | undefined => Object.values(content ?? {})[0]?.schema;

/** The name of the shape that a `$ref` points to. */
export const shapeName = (ref: string): string => ref.split("/").at(-1)!;
