import {
  API_KEY_HEADER,
  accessTo,
  DEVICE_ID_HEADER,
  ERRORS,
  type ErrorCode,
  PROBLEM_CONTENT_TYPE,
  Problem,
  pathOf,
  type RouteSpec,
  requiresCaller,
  STAFF_PASSWORD_HEADER,
  snakeCase,
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

const KEY_DESCRIPTION =
  'A plug-in key with the scope named, also as `Authorization: Bearer cfk_…`. It takes precedence over an access token.';

const SECURITY_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The access token of a session' },
  apiKey: { type: 'apiKey', in: 'header', name: API_KEY_HEADER, description: KEY_DESCRIPTION },
  staffPassword: { type: 'apiKey', in: 'header', name: STAFF_PASSWORD_HEADER, description: 'The staff password' },
} as const;

/** Alternative credentials of a route; `{}` for none. */
function securityOf(spec: RouteSpec): Record<string, string[]>[] {
  const { session, keyScope, staffPassword } = accessTo(spec);
  if (session === 'ignored') return [];
  const staff: Record<string, string[]> = staffPassword ? { staffPassword: [] } : {};
  return [
    ...(session === 'rejected' ? [] : [{ bearer: [], ...staff }]),
    ...(keyScope ? [{ apiKey: [keyScope] }] : []),
    ...(session === 'optional' ? [staff] : []),
  ];
}

function accessErrorsOf(spec: RouteSpec): readonly ErrorCode[] {
  const { session, keyScope, anyDevice, staffPassword } = accessTo(spec);
  return [
    ...(requiresCaller(spec) ? (['users.not_authorized', 'plugin_keys.not_permitted'] as const) : []),
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

const OVERRIDE: CreateDocumentOptions['override'] = ({ zodSchema, jsonSchema, path }) => {
  const { def } = zodSchema._zod;
  if (def.type !== 'object' || path.length === 0) return;
  if (jsonSchema.properties) jsonSchema.properties = renameKeys(jsonSchema.properties);
  if (jsonSchema.required) jsonSchema.required = jsonSchema.required.map(snakeCase);
  // Only strict schemas exclude unknown members, which later versions may add.
  if (!def.catchall) delete jsonSchema.additionalProperties;
};

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

function headersOf(spec: RouteSpec) {
  const { keyScope, anyDevice } = accessTo(spec);
  return [...(spec.idempotent ? [IDEMPOTENCY_KEY] : []), ...(keyScope && !anyDevice ? [DEVICE_ID] : [])];
}

function successesOf({ responses, summary: description, file }: RouteSpec): ZodOpenApiResponsesObject {
  const entries = Object.entries(responses).map(([status, schema]) => {
    if (schema) return [status, { description, content: { 'application/json': { schema } } }];
    return [status, { description, ...(file && { content: { [file]: {} } }) }];
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

const BYTES = { type: 'string', format: 'binary' } as const;

/** The bytes of a file, or a form with the query's parameters as fields before its file. */
const uploadBodyOf = ({ query }: RouteSpec, mediaTypes: readonly string[]) => ({
  required: true,
  content: {
    ...Object.fromEntries(mediaTypes.map((type) => [type, { schema: BYTES }])),
    'multipart/form-data': {
      schema: z.object({ ...(query && renameKeys(query.shape)), file: z.unknown().meta({ override: BYTES }) }),
    },
  },
});

const operationOf = (spec: RouteSpec): ZodOpenApiOperationObject => ({
  tags: [spec.tag],
  summary: spec.summary,
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

/** OpenAPI 3.1, generated from the schemas that validate requests and responses. */
export function openApiDocument(routes: readonly RouteSpec[], publicUrl: string): OpenApiDocument {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const spec of routes) {
    const path = pathOf(spec).replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [spec.method.toLowerCase()]: operationOf(spec) };
  }
  const document: ZodOpenApiObject = {
    openapi: '3.1.0',
    info: {
      title: 'Clearframe',
      version: '1',
      description:
        'Names are snake_case. Times are ISO 8601 UTC, durations seconds, sizes bytes. Every error is a problem document ' +
        'with a stable `error_code`. Files are sent by PUT to the `upload_url` of a task with its `upload_headers`, and ' +
        'read from the signed URLs in responses.',
    },
    servers: [{ url: publicUrl }],
    paths,
    components: { securitySchemes: SECURITY_SCHEMES },
  };
  return createDocument(document, { override: OVERRIDE });
}
