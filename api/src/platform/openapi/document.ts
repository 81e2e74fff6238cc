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
  problemOf,
  type RateLimit,
  type RouteSpec,
  requiresCaller,
  STAFF_PASSWORD_HEADER,
  snakeCase,
  TAGS,
  toWire,
  WEBHOOK_MESSAGES,
} from '@clearframe/contract';
import { z } from 'zod';
import {
  type CreateDocumentOptions,
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi';
import type { LimitsConfig } from '../config/limits.config.js';
import { Examples } from './examples.js';

type OpenApiDocument = ReturnType<typeof createDocument>;

/** Limits that this server applies, as the extension `x-limits`; operations name theirs in `x-rate-limit`. */
export type PublishedLimits = Pick<LimitsConfig, 'rates' | 'queueMaxPerUser'>;

const limitsExtension = ({ rates, queueMaxPerUser }: PublishedLimits, names: ReadonlySet<RateLimit>) => ({
  rates: Object.fromEntries(
    [...names].map((name) => [name, { requests: rates[name].points, seconds: rates[name].windowSeconds }]),
  ),
  waiting_pictures: queueMaxPerUser,
});

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
    ...(keyScope
      ? ([
          'plugin_keys.expired',
          'plugin_keys.not_in_plan',
          'request.unknown_parameter',
          'request.rate_limited',
        ] as const)
      : []),
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

/** Many validators compile patterns without the flag `u`, and refuse or misread `\P{Cc}`. */
const NO_CONTROL_CHARACTER = '[^\\u0000-\\u001f\\u007f-\\u009f]';

const OVERRIDE: CreateDocumentOptions['override'] = ({ zodSchema, jsonSchema, path }) => {
  const { def } = zodSchema._zod;
  if (IMPLIED_PATTERNS.includes(jsonSchema.format)) delete jsonSchema.pattern;
  jsonSchema.pattern &&= jsonSchema.pattern.replace('\\P{Cc}', NO_CONTROL_CHARACTER);
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
  if ('in' in node && 'schema' in node) {
    const { description, ...schema } = Object(node.schema);
    return { ...(description && { description }), ...node, schema };
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

/** Headers of responses, each a component of the document. */
const HEADERS = {
  'X-Request-Id': z
    .string()
    .describe('Id of the request; tell it to support.')
    .meta({ header: { id: 'X-Request-Id' } }),
  'RateLimit-Policy': z
    .string()
    .describe('The limit that counts: its name, requests (`q`) and seconds (`w`).')
    .meta({ header: { id: 'RateLimit-Policy' }, examples: ['"writes";q=60;w=60'] }),
  RateLimit: z
    .string()
    .describe('What is left of the limit: requests (`r`), and seconds (`t`) until it is reset.')
    .meta({ header: { id: 'RateLimit' }, examples: ['"writes";r=59;t=60'] }),
  'Retry-After': z
    .int()
    .positive()
    .describe('Seconds after which the request may be sent again.')
    .meta({ header: { id: 'Retry-After' } }),
  'Idempotency-Replayed': z
    .literal('true')
    .optional()
    .describe('The response is that of an earlier request with the same `Idempotency-Key`.')
    .meta({ header: { id: 'Idempotency-Replayed' } }),
  'Preference-Applied': z
    .string()
    .optional()
    .describe('The `wait` of `Prefer` that the server has kept to.')
    .meta({ header: { id: 'Preference-Applied' }, examples: [`wait=${MAX_WAIT_SECONDS}`] }),
  Location: z
    .url()
    .describe('Address of the task that the request has created.')
    .meta({ header: { id: 'Location' } }),
  Deprecation: z
    .string()
    .describe('When the end of the operation was announced (RFC 9745); `Link` leads to the entry of the changelog.')
    .meta({ header: { id: 'Deprecation' }, examples: ['@1795824000'] }),
  Sunset: z
    .string()
    .describe('From when on the operation may be gone (RFC 8594).')
    .meta({ header: { id: 'Sunset' }, examples: ['Mon, 31 May 2027 00:00:00 GMT'] }),
} as const;

const usualHeadersOf = ({ limit, deprecated }: RouteSpec) => ({
  'X-Request-Id': HEADERS['X-Request-Id'],
  ...(deprecated && { Deprecation: HEADERS.Deprecation, Sunset: HEADERS.Sunset }),
  ...(limit && { 'RateLimit-Policy': HEADERS['RateLimit-Policy'], RateLimit: HEADERS.RateLimit }),
});

function responseHeadersOf(spec: RouteSpec, isUsual: boolean) {
  return z.object({
    ...usualHeadersOf(spec),
    ...(spec.idempotent && { 'Idempotency-Replayed': HEADERS['Idempotency-Replayed'] }),
    ...(spec.waits && { 'Preference-Applied': HEADERS['Preference-Applied'] }),
    // `analyze` has an upload, too, but creates nothing.
    ...(spec.upload && spec.idempotent && { Location: HEADERS.Location }),
    ...(isUsual && spec.responseHeaders?.shape),
  });
}

/** What a status of success means, if a route has several. */
const MEANINGS: Readonly<Record<string, string>> = {
  200: 'Done',
  201: 'Created',
  202: 'Accepted: in progress',
  204: 'Done, without a body',
  206: 'A range of the file',
};

function successesOf(spec: RouteSpec): ZodOpenApiResponsesObject {
  const { responses, file } = spec;
  const entries = Object.entries(responses).map(([status, schema], index) => {
    const description = MEANINGS[status] ?? spec.summary;
    const answer = { description, headers: responseHeadersOf(spec, index === 0) };
    if (schema) return [status, { ...answer, content: { 'application/json': { schema } } }];
    if (!file) return [status, answer];
    return [status, { ...answer, content: Object.fromEntries(file.map((type) => [type, { schema: BYTES }])) }];
  });
  return Object.fromEntries(entries);
}

/** The first code of a status, as a client gets it. */
const problemExample = (code: ErrorCode): unknown =>
  toWire(Problem, problemOf(code, '0199f2c4-8f3e-7c1a-9b57-3d2e6a1f4c80'));

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
        headers: z.object({
          ...usualHeadersOf(spec),
          ...([429, 503].includes(status) && { 'Retry-After': HEADERS['Retry-After'] }),
        }),
        content: {
          [PROBLEM_CONTENT_TYPE]: { schema: Problem, example: problemExample(members[0] ?? 'service.internal') },
        },
      },
    ]);
  return Object.fromEntries(entries);
}

const FILE_DESCRIPTION = 'The picture, whatever the name of its field; the last part of the form, or the first.';

const MASK_DESCRIPTION =
  'A mask that limits the tools to a part of the picture, in the place of `mask_url`: before the file, after a file that is the first part, or without a file beside `input_url`.';

/** The bytes of a file, a form with the query's parameters as fields before its file, or JSON with its address. */
const uploadBodyOf = ({ query, uploadJson }: RouteSpec, mediaTypes: readonly string[]) => ({
  required: true,
  content: {
    ...Object.fromEntries(mediaTypes.map((type) => [type, { schema: BYTES }])),
    ...(uploadJson && { 'application/json': { schema: uploadJson } }),
    'multipart/form-data': {
      schema: z.object({
        ...(query && renameKeys(query.shape)),
        ...(query &&
          'maskUrl' in query.shape && {
            mask: z
              .unknown()
              .optional()
              .meta({ override: { ...BYTES, description: MASK_DESCRIPTION } }),
          }),
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
  ...(spec.deprecated && { deprecated: true }),
  ...(spec.limit && { 'x-rate-limit': spec.limit }),
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
  readonly limits: PublishedLimits | undefined;
  readonly includes: (spec: RouteSpec) => boolean;
  readonly webhooks?: ZodOpenApiObject['webhooks'];
  readonly securitySchemes: typeof KEY_SCHEMES | typeof SESSION_SCHEMES;
}

function documentOf({
  title,
  description,
  publicUrl,
  limits,
  includes,
  webhooks,
  securitySchemes,
}: Contents): OpenApiDocument {
  const operations = Object.entries(OPERATIONS).filter(([, spec]) => includes(spec));
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const [operationId, spec] of operations) {
    const path = pathOf(spec).replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [spec.method.toLowerCase()]: operationOf(operationId, spec) };
  }
  const used = new Set<string>([...operations.map(([, { tag }]) => tag), ...(webhooks ? ['webhooks'] : [])]);
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
    ...(limits && { 'x-limits': limitsExtension(limits, limitsOf(operations)) }),
    tags: Object.entries(TAGS)
      .filter(([name]) => used.has(name))
      .map(([name, introduction]) => ({ name, description: introduction })),
    paths,
    ...(webhooks && { webhooks }),
    components: { securitySchemes },
  };
  const made = withoutRepetitions(createDocument(document, { override: OVERRIDE })) as OpenApiDocument;
  const examples = new Examples(Object(made.components?.schemas));
  const withExamples = <Part>(part: Part) => examples.addTo(part) as Part;
  return {
    ...made,
    paths: withExamples(made.paths),
    ...(webhooks && { webhooks: asReceived(withExamples(made.webhooks)) }),
    components: { ...made.components, examples: examples.components },
  };
}

const limitsOf = (operations: readonly (readonly [string, RouteSpec])[]): ReadonlySet<RateLimit> =>
  new Set(operations.flatMap(([, { limit }]) => limit ?? []));

const WEBHOOK_HEADERS = {
  'webhook-id': z.string().describe('Id of the message; the same at each attempt.'),
  'webhook-timestamp': z.string().describe('Time of the attempt, in Unix seconds.'),
  'webhook-signature': z.string().describe('Signatures by the Standard Webhooks scheme, separated by spaces.'),
};

/**
 * Events that the product sends to the endpoints of an account and to `callback_url`. Their bodies are what the product
 * answers elsewhere, so they are made as answers; see {@link asReceived}.
 */
const WEBHOOKS: ZodOpenApiObject['webhooks'] = Object.fromEntries(
  Object.entries(WEBHOOK_MESSAGES).map(([type, schema]) => [
    type,
    {
      post: {
        // `task.completed` → `onTaskCompleted`
        operationId: `on${type.replace(/(?:^|\.)(\w)/g, (_dot, letter: string) => letter.toUpperCase())}`,
        tags: ['webhooks'],
        summary: `Receive \`${type}\``,
        description: schema.description ?? type,
        security: [],
        requestParams: { header: z.object(WEBHOOK_HEADERS) },
        responses: { 200: { description: type, content: { 'application/json': { schema } } } },
      },
    },
  ]),
);

/** Webhooks as their receiver sees them: what the product sends is the body of the request. */
function asReceived(webhooks: OpenApiDocument['webhooks'] = {}): OpenApiDocument['webhooks'] {
  const received = Object.entries(webhooks).map(([type, { post }]) => [
    type,
    {
      post: {
        ...post,
        requestBody: { required: true, content: post?.responses?.['200'].content },
        responses: {
          '2XX': { description: 'Received. Any other answer is tried again, with growing intervals for a day.' },
          '410': { description: 'The endpoint is gone and gets no more events.' },
        },
      },
    },
  ]);
  return Object.fromEntries(received);
}

const takesKey = (spec: RouteSpec): boolean => accessTo(spec).keyScope !== null;

/**
 * OpenAPI 3.1 of what an API key reaches, generated from the schemas that validate requests and responses.
 * @param publicUrl origin of the product
 * @param limits absent for generated types, which have none
 */
export const describeApi = (publicUrl: string, limits?: PublishedLimits): OpenApiDocument =>
  documentOf({
    title: 'Clearframe API',
    description: 'Enhances photos and videos with AI, for holders of an API key.',
    publicUrl,
    limits,
    includes: takesKey,
    webhooks: WEBHOOKS,
    securitySchemes: KEY_SCHEMES,
  });

/** The other routes: those of pages, apps and staff. They may change without notice. */
export const describeInternalApi = (publicUrl: string, limits?: PublishedLimits): OpenApiDocument =>
  documentOf({
    title: 'Clearframe internal API',
    description: 'What pages, apps and staff call without an API key. It may change without notice.',
    publicUrl,
    limits,
    includes: (spec) => !takesKey(spec),
    securitySchemes: SESSION_SCHEMES,
  });
