import {
  API_KEY_HEADER,
  accessTo,
  DEVICE_ID_HEADER,
  ERRORS,
  type ErrorCode,
  MAX_WAIT_SECONDS,
  OPERATIONS,
  PROBLEM_CONTENT_TYPE,
  Problem,
  pathOf,
  type RouteSpec,
  requiresCaller,
  STAFF_PASSWORD_HEADER,
  snakeCase,
  TAGS,
} from '@clearframe/contract';
import { z } from 'zod';
import {
  type CreateDocumentOptions,
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi';

type OpenApiDocument = ReturnType<typeof createDocument>;

const KEY_SCHEMES = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: API_KEY_HEADER,
    description: 'An API key, `cfk_…`, with the scope named. It takes precedence over another credential.',
  },
  bearerKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'The same API key, as `Authorization: Bearer cfk_…`; in pages an upload token, `cfu_…`.',
  },
} as const;

const SESSION_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The access token of a session.' },
  staffPassword: { type: 'apiKey', in: 'header', name: STAFF_PASSWORD_HEADER, description: 'The staff password.' },
} as const;

/** Alternative credentials of a route; `{}` for none. */
function securityOf(spec: RouteSpec): Record<string, string[]>[] {
  const { session, keyScope, staffPassword } = accessTo(spec);
  if (keyScope) {
    const scopes = keyScope === 'any' ? [] : [keyScope];
    return [{ apiKey: scopes }, { bearerKey: scopes }];
  }
  if (session === 'ignored') return [];
  const staff: Record<string, string[]> = staffPassword ? { staffPassword: [] } : {};
  return [{ bearer: [], ...staff }, ...(session === 'optional' ? [staff] : [])];
}

function accessErrorsOf(spec: RouteSpec): readonly ErrorCode[] {
  const { session, keyScope, anyDevice, staffPassword } = accessTo(spec);
  return [
    ...(requiresCaller(spec) ? (['users.not_authorized', 'plugin_keys.not_permitted'] as const) : []),
    ...(keyScope && keyScope !== 'any' ? (['plugin_keys.scope_missing'] as const) : []),
    ...(keyScope === 'videos' ? (['plugin_keys.live_required'] as const) : []),
    ...(keyScope ? (['plugin_keys.not_in_plan', 'request.unknown_parameter', 'request.rate_limited'] as const) : []),
    ...(keyScope && !anyDevice ? (['plugin_keys.device_mismatch'] as const) : []),
    ...(session === 'rejected' ? (['plugin_keys.required'] as const) : []),
    ...(session === 'account' ? (['billing.login_required'] as const) : []),
    ...(staffPassword ? (['secret_menu.password_incorrect', 'request.rate_limited'] as const) : []),
  ];
}

const COMMON_ERRORS: readonly ErrorCode[] = [
  'request.malformed',
  'request.invalid',
  'service.unavailable',
  'service.internal',
];

const renameKeys = <Value>(members: Readonly<Record<string, Value>>): Record<string, Value> =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [snakeCase(name), member]));

/** What a format or type says already: it would be half of the document. */
const IMPLIED_PATTERNS: readonly unknown[] = ['date-time', 'uuid'];

const OVERRIDE: CreateDocumentOptions['override'] = ({ zodSchema, jsonSchema, path }) => {
  const { def } = zodSchema._zod;
  if (IMPLIED_PATTERNS.includes(jsonSchema.format)) delete jsonSchema.pattern;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (def.type === 'record') delete jsonSchema.propertyNames;
  if (def.type !== 'object' || path.length === 0) return;
  if (jsonSchema.properties) jsonSchema.properties = renameKeys(jsonSchema.properties);
  if (jsonSchema.required) jsonSchema.required = jsonSchema.required.map(snakeCase);
  // Only strict schemas exclude unknown members, which later versions may add.
  if (!def.catchall) delete jsonSchema.additionalProperties;
};

const BYTES = { type: 'string', format: 'binary' } as const;

/** Members beside a reference that say something about its place; zod repeats the others. */
const OF_A_PLACE = ['$ref', 'description', 'default'];

/** Removes what is said twice: members of named schemas beside references, descriptions of parameters in their schemas. */
function withoutRepetitions(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutRepetitions);
  if (typeof node !== 'object' || node === null) return node;
  const members = Object.entries(node);
  if ('$ref' in node && typeof node.$ref === 'string') {
    return Object.fromEntries(members.filter(([name]) => OF_A_PLACE.includes(name)));
  }
  if ('in' in node && 'schema' in node && 'description' in node) {
    const { description: _, ...schema } = Object(node.schema);
    return { ...node, schema };
  }
  return Object.fromEntries(members.map(([name, member]) => [name, withoutRepetitions(member)]));
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Retries with the same key and body get the first response, for 24 hours.',
  schema: { type: 'string', maxLength: 255 },
} as const;

const DEVICE_ID = {
  name: DEVICE_ID_HEADER,
  in: 'header',
  required: false,
  description: 'The device of a plug-in key that is bound to one.',
  schema: { type: 'string', maxLength: 200 },
} as const;

const PREFER = {
  name: 'Prefer',
  in: 'header',
  required: false,
  description: `\`wait=N\` waits up to N seconds for the end of processing, at most ${MAX_WAIT_SECONDS}.`,
  schema: { type: 'string', example: `wait=${MAX_WAIT_SECONDS}` },
} as const;

function headersOf(spec: RouteSpec) {
  const { keyScope, anyDevice } = accessTo(spec);
  return [
    ...(spec.idempotent ? [IDEMPOTENCY_KEY] : []),
    ...(spec.waits ? [PREFER] : []),
    ...(keyScope && !anyDevice ? [DEVICE_ID] : []),
  ];
}

const WAITED = z.object({
  'Preference-Applied': z.string().optional().describe('The `wait` of `Prefer` that the server has kept to.'),
});

function successesOf(spec: RouteSpec): ZodOpenApiResponsesObject {
  const { responses, summary: description, file, responseHeaders, waits } = spec;
  const entries = Object.entries(responses).map(([status, schema], index) => {
    const own = index === 0 ? responseHeaders?.shape : undefined;
    const headers = z.object({ ...own, ...(waits && WAITED.shape) });
    const answer = { description, ...((own || waits) && { headers }) };
    if (schema) return [status, { ...answer, content: { 'application/json': { schema } } }];
    if (!file) return [status, answer];
    return [status, { ...answer, content: Object.fromEntries(file.map((type) => [type, { schema: BYTES }])) }];
  });
  return Object.fromEntries(entries);
}

function errorsOf(spec: RouteSpec): ZodOpenApiResponsesObject {
  const codes: readonly ErrorCode[] = [
    ...spec.errors,
    ...COMMON_ERRORS,
    ...accessErrorsOf(spec),
    ...(spec.params ? (['request.not_found'] as const) : []),
    ...(spec.method === 'GET' ? [] : (['request.too_large', 'request.unsupported_media_type'] as const)),
    ...(spec.limit ? (['request.rate_limited'] as const) : []),
    ...(spec.idempotent
      ? ([
          'idempotency.key_reused',
          'idempotency.in_progress',
          'idempotency.key_invalid',
          'idempotency.answer_expired',
        ] as const)
      : []),
  ];
  const byStatus = Map.groupBy(new Set(codes), (code) => ERRORS[code].status);
  const entries = [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, members]) => [
      String(status),
      {
        description: members.map((code) => `\`${code}\`: ${ERRORS[code].title}`).join('; '),
        content: { [PROBLEM_CONTENT_TYPE]: { schema: Problem } },
      },
    ]);
  return Object.fromEntries(entries);
}

const FILE_DESCRIPTION = 'The picture, whatever the name of its field; the last part of the form, or the first.';

/** The bytes of a file, or a form with the query's parameters as fields before its file. */
const uploadBodyOf = ({ query }: RouteSpec, mediaTypes: readonly string[]) => ({
  required: true,
  content: {
    ...Object.fromEntries(mediaTypes.map((type) => [type, { schema: BYTES }])),
    'multipart/form-data': {
      schema: z.object({
        ...(query && renameKeys(query.shape)),
        file: z.unknown().meta({ override: { ...BYTES, description: FILE_DESCRIPTION } }),
      }),
    },
  },
});

const operationOf = (operationId: string, spec: RouteSpec): ZodOpenApiOperationObject => ({
  operationId,
  tags: [spec.tag],
  summary: spec.summary,
  ...(spec.description && { description: spec.description }),
  security: securityOf(spec),
  requestParams: {
    ...(spec.params && { path: spec.params }),
    ...(spec.query && { query: z.object(renameKeys(spec.query.shape)) }),
  },
  parameters: headersOf(spec),
  ...(spec.upload && { requestBody: uploadBodyOf(spec, spec.upload) }),
  ...(spec.body && {
    requestBody: {
      required: !spec.body.safeParse(undefined).success,
      content: { 'application/json': { schema: spec.body } },
    },
  }),
  responses: { ...successesOf(spec), ...errorsOf(spec) },
});

/** What the documents have in common. */
const CONVENTIONS =
  'Names are snake_case. Times are ISO 8601 UTC, durations seconds, sizes bytes. Every error is a problem document ' +
  'with a stable `error_code`. Files are sent by PUT to the `upload_url` of a task with its `upload_headers`, and ' +
  'read from the signed URLs in responses.';

interface Contents {
  readonly title: string;
  readonly description: string;
  readonly publicUrl: string;
  readonly includes: (spec: RouteSpec) => boolean;
  readonly securitySchemes: typeof KEY_SCHEMES | typeof SESSION_SCHEMES;
}

function documentOf({ title, description, publicUrl, includes, securitySchemes }: Contents): OpenApiDocument {
  const operations = Object.entries(OPERATIONS).filter(([, spec]) => includes(spec));
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const [operationId, spec] of operations) {
    const path = pathOf(spec).replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [spec.method.toLowerCase()]: operationOf(operationId, spec) };
  }
  const used = new Set<string>(operations.map(([, { tag }]) => tag));
  const document: ZodOpenApiObject = {
    openapi: '3.1.0',
    info: {
      title,
      version: '1',
      description: `${description} ${CONVENTIONS}`,
      contact: { name: 'Clearframe support', url: `${publicUrl}/help/contact` },
      license: { name: 'Terms of service', url: `${publicUrl}/terms` },
    },
    servers: [{ url: publicUrl }],
    tags: Object.entries(TAGS)
      .filter(([name]) => used.has(name))
      .map(([name, introduction]) => ({ name, description: introduction })),
    paths,
    components: { securitySchemes },
  };
  return withoutRepetitions(createDocument(document, { override: OVERRIDE })) as OpenApiDocument;
}

const takesKey = (spec: RouteSpec): boolean => accessTo(spec).keyScope !== null;

/**
 * OpenAPI 3.1 of what an API key reaches, generated from the schemas that validate requests and responses.
 * @param publicUrl origin of the product
 */
export const describeApi = (publicUrl: string): OpenApiDocument =>
  documentOf({
    title: 'Clearframe API',
    description: 'Enhances photos and videos with AI, for holders of an API key.',
    publicUrl,
    includes: takesKey,
    securitySchemes: KEY_SCHEMES,
  });

/** The other routes: those of pages, apps and staff. They may change without notice. */
export const describeInternalApi = (publicUrl: string): OpenApiDocument =>
  documentOf({
    title: 'Clearframe internal API',
    description: 'What pages, apps and staff call without an API key. It may change without notice.',
    publicUrl,
    includes: (spec) => !takesKey(spec),
    securitySchemes: SESSION_SCHEMES,
  });
