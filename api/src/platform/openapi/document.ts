import {
  API_KEY_HEADER,
  accessTo,
  ERRORS,
  type ErrorCode,
  needsCaller,
  PROBLEM_CONTENT_TYPE,
  Problem,
  pathOf,
  type RouteSpec,
  STAFF_PASSWORD_HEADER,
  snakeCase,
} from '@clearframe/contract';
import { z } from 'zod';

/** An OpenAPI 3.1 document; only the parts we write are typed. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly [key: string]: unknown;
}

const SECURITY_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The access token of a session' },
  apiKey: { type: 'apiKey', in: 'header', name: API_KEY_HEADER, description: 'An API key with the scope named' },
  staffPassword: { type: 'apiKey', in: 'header', name: STAFF_PASSWORD_HEADER, description: 'The staff password' },
} as const;

/** The alternatives of credentials for a route; `{}` is none. */
function securityOf(spec: RouteSpec): Record<string, readonly string[]>[] {
  const { session, keyScope, staffPassword } = accessTo(spec);
  if (session === 'ignored') return [];
  const staff: Record<string, readonly string[]> = staffPassword ? { staffPassword: [] } : {};
  return [
    { bearer: [], ...staff },
    ...(keyScope ? [{ apiKey: [keyScope] }] : []),
    ...(session === 'optional' ? [staff] : []),
  ];
}

/** Codes with which the access guard answers. */
function accessErrorsOf(spec: RouteSpec): readonly ErrorCode[] {
  const { session, staffPassword } = accessTo(spec);
  return [
    ...(needsCaller(spec) ? (['users.not_authorized', 'plugin_keys.not_permitted'] as const) : []),
    ...(session === 'account' ? (['billing.login_required'] as const) : []),
    ...(staffPassword ? (['secret_menu.password_incorrect', 'request.rate_limited'] as const) : []),
  ];
}

/** Codes any route may answer with. */
const COMMON_ERRORS: readonly ErrorCode[] = [
  'request.malformed',
  'request.invalid',
  'service.unavailable',
  'service.internal',
];

/** JSON Schema of a contract schema, in wire names. */
function schemaOf(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if ((zodSchema as z.core.$ZodTypes)._zod.def.type !== 'object' || !jsonSchema.properties) return;
      jsonSchema.properties = Object.fromEntries(
        Object.entries(jsonSchema.properties).map(([name, member]) => [snakeCase(name), member]),
      );
      if (jsonSchema.required) jsonSchema.required = jsonSchema.required.map(snakeCase);
    },
  });
  return json;
}

/** Collects named schemas as components and answers with references to them. */
class Components {
  readonly schemas: Record<string, unknown> = {};

  refer(schema: z.ZodType): Record<string, unknown> {
    const { $defs, ...json } = schemaOf(schema) as { $defs?: Record<string, unknown> };
    for (const [name, definition] of Object.entries($defs ?? {})) this.schemas[name] ??= relocate(definition);
    const { id } = schema.meta() ?? {};
    if (typeof id !== 'string') return relocate(json) as Record<string, unknown>;
    this.schemas[id] ??= relocate(json);
    return { $ref: `#/components/schemas/${id}` };
  }
}

/** `#/$defs/X` → `#/components/schemas/X`; the `id` of a definition is its name already. */
function relocate(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(relocate);
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(
    Object.entries(json)
      .filter(([key, value]) => !(key === 'id' && typeof value === 'string'))
      .map(([key, value]) => [
        key,
        key === '$ref' && typeof value === 'string'
          ? value.replace('#/$defs/', '#/components/schemas/')
          : relocate(value),
      ]),
  );
}

function parametersOf(spec: RouteSpec): unknown[] {
  const list = (schema: z.ZodObject | undefined, where: 'path' | 'query') =>
    Object.entries(schema?.shape ?? {}).map(([name, member]) => ({
      name: where === 'path' ? name : snakeCase(name),
      in: where,
      required: where === 'path' || !(member as z.ZodType).safeParse(undefined).success,
      schema: schemaOf(member as z.ZodType),
    }));
  const idempotencyKey = {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'A retry with the same key and body gets the first answer again, for 24 hours.',
    schema: { type: 'string', maxLength: 255 },
  };
  return [...list(spec.params, 'path'), ...list(spec.query, 'query'), ...(spec.idempotent ? [idempotencyKey] : [])];
}

function answersOf(spec: RouteSpec, components: Components): Record<string, unknown> {
  const answers: Record<string, unknown> = {};
  for (const [status, schema] of Object.entries(spec.responses)) {
    answers[status] = schema
      ? { description: spec.summary, content: { 'application/json': { schema: components.refer(schema) } } }
      : { description: spec.summary, ...(spec.file && { content: { [spec.file]: {} } }) };
  }
  const codes = [
    ...spec.errors,
    ...COMMON_ERRORS,
    ...accessErrorsOf(spec),
    ...(spec.limit ? (['request.rate_limited'] as const) : []),
    ...(spec.idempotent
      ? (['idempotency.key_reused', 'idempotency.in_progress', 'idempotency.key_invalid'] as const)
      : []),
  ];
  const byStatus = Map.groupBy(new Set(codes), (code) => ERRORS[code].status);
  for (const [status, members] of [...byStatus].sort(([a], [b]) => a - b)) {
    answers[status] = {
      description: members.map((code) => `\`${code}\`: ${ERRORS[code].title}`).join('; '),
      content: { [PROBLEM_CONTENT_TYPE]: { schema: components.refer(Problem) } },
    };
  }
  return answers;
}

/** The document of a call table. Generated from the very schemas that validate, so it can't say anything else. */
export function openApiDocument(routes: readonly RouteSpec[], publicUrl: string): OpenApiDocument {
  const components = new Components();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const spec of routes) {
    const path = pathOf(spec).replace(/:(\w+)/g, '{$1}');
    paths[path] ??= {};
    paths[path][spec.method.toLowerCase()] = {
      tags: [spec.tag],
      summary: spec.summary,
      security: securityOf(spec),
      parameters: parametersOf(spec),
      ...(spec.body
        ? { requestBody: { required: true, content: { 'application/json': { schema: components.refer(spec.body) } } } }
        : {}),
      responses: answersOf(spec, components),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Clearframe',
      version: '1',
      description:
        'Names are snake_case. Times are ISO 8601 UTC, durations seconds, sizes bytes. Every error is a problem document ' +
        'with a stable `error_code`. Bytes are sent by PUT to the `upload_url` of a task with its `upload_headers`, and ' +
        'read from the signed addresses in answers.',
    },
    servers: [{ url: publicUrl }],
    paths,
    components: {
      schemas: components.schemas,
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}
