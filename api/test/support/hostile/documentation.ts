import type { TestApi } from '../application.js';

export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly minLength?: number;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
}

export interface Operation {
  readonly 'x-rate-limit'?: string;
  readonly operationId: string;
  readonly security: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> };
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly securitySchemes: Readonly<Record<string, unknown>>;
  };
}

/** The document for key holders and the internal one, as one. */
export async function documentationOf({ http }: Pick<TestApi, 'http'>): Promise<OpenApi> {
  const { body: api } = await http.get('/api/openapi.json').expect(200);
  const { body: internal } = await http.get('/api/internal/openapi.json').expect(200);
  return {
    // A path may have methods in both.
    paths: Object.fromEntries(
      Object.keys({ ...api.paths, ...internal.paths }).map((path) => [
        path,
        { ...api.paths[path], ...internal.paths[path] },
      ]),
    ),
    components: {
      schemas: { ...internal.components.schemas, ...api.components.schemas },
      securitySchemes: { ...internal.components.securitySchemes, ...api.components.securitySchemes },
    },
  };
}

/** What the document promises: statuses of successes, and errors like `404 tasks.not_found`; none is a server's fault. */
export const documentedAnswers = ({ responses }: Operation): ReadonlySet<string> =>
  new Set(
    Object.entries(responses)
      .filter(([status]) => Number(status) < 500)
      .flatMap(([status, { description }]) => {
        const codes = Array.from(description.matchAll(/`([a-z_]+\.[a-z_]+)`/g), ([, code]) => `${status} ${code}`);
        return Number(status) < 400 ? [status] : codes;
      }),
  );
