/** What of JSON Schema the documents use. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly example?: unknown;
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

type Schemas = Readonly<Record<string, Schema>>;

const TEXTS: Readonly<Record<string, string>> = {
  'date-time': '2026-11-30T12:00:00.000Z',
  date: '2026-11-30',
  uuid: '0199f2c4-8f3e-7c1a-9b57-3d2e6a1f4c80',
  uri: 'https://clearframe.example/media/photo',
  binary: '(bytes)',
};

/** `answer`: with optional members, as the server sends them. `request`: with those that have an example of their own. */
type Purpose = 'answer' | 'request';

function objectOf({ properties = {}, required = [] }: Schema, schemas: Schemas, purpose: Purpose) {
  const shown = Object.entries(properties).filter(
    ([name, member]) =>
      purpose === 'answer' || required.includes(name) || member.examples || member.example !== undefined,
  );
  return Object.fromEntries(shown.map(([name, member]) => [name, exampleOf(member, schemas, purpose)]));
}

/** A value that a schema accepts: its own example, else the plainest. Schemas don't contain themselves. */
export function exampleOf(schema: Schema, schemas: Schemas, purpose: Purpose): unknown {
  const given = [schema.example, ...(schema.examples ?? []), schema.const, ...(schema.enum ?? []), schema.default];
  const [own] = given.filter((value) => value !== undefined);
  if (own !== undefined) return own;
  if (schema.$ref) return exampleOf(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, schemas, purpose);
  const [option] = schema.anyOf ?? schema.oneOf ?? [];
  if (option) return exampleOf(option, schemas, purpose);
  switch ([schema.type].flat()[0]) {
    case 'object':
      return objectOf(schema, schemas, purpose);
    case 'array':
      return schema.items ? [exampleOf(schema.items, schemas, purpose)] : [];
    case 'integer':
      return schema.minimum ?? (schema.exclusiveMinimum ?? 0) + 1;
    case 'number':
      return schema.minimum ?? (schema.exclusiveMinimum ?? 0) + 0.5;
    case 'boolean':
      return false;
    case 'null':
      return null;
    default:
      return TEXTS[schema.format ?? ''] ?? 'text';
  }
}

interface MediaType {
  readonly schema?: Schema;
  readonly example?: unknown;
}

/** Gives every body of a document an example; those of named schemas become components. */
export class Examples {
  readonly components: Record<string, { readonly value: unknown }> = {};

  constructor(private readonly schemas: Schemas) {}

  addTo(node: unknown, purpose: Purpose = 'request'): unknown {
    if (Array.isArray(node)) return node.map((member) => this.addTo(member, purpose));
    if (typeof node !== 'object' || node === null) return node;
    const members = Object.entries(node).map(([name, member]) => {
      if (name === 'content') return [name, this.exemplified(member, purpose)];
      return [name, this.addTo(member, name === 'responses' ? 'answer' : purpose)];
    });
    return Object.fromEntries(members);
  }

  private exemplified(content: Readonly<Record<string, MediaType>>, purpose: Purpose) {
    return Object.fromEntries(
      Object.entries(content).map(([type, media]) => [type, { ...this.exampleFor(media, purpose), ...media }]),
    );
  }

  private exampleFor({ schema = {}, example }: MediaType, purpose: Purpose): object {
    if (example !== undefined || schema.format === 'binary') return {};
    const name = schema.$ref?.split('/').at(-1);
    const value = exampleOf(schema, this.schemas, purpose);
    if (name === undefined) return { example: value };
    this.components[name] = { value };
    return { examples: { example: { $ref: `#/components/examples/${name}` } } };
  }
}
