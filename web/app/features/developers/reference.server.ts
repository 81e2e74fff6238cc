import { inMilliseconds } from '@clearframe/contract';
import type { AppLoadContext } from '@remix-run/node';
import { z } from 'zod';
import { ApiError } from '../../http/api.server';

const Schema = z.looseObject({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  format: z.string().optional(),
  description: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  default: z.unknown().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  required: z.array(z.string()).optional(),
  get properties() {
    return z.record(z.string(), Schema).optional();
  },
  get items() {
    return Schema.optional();
  },
  get anyOf() {
    return z.array(Schema).optional();
  },
  get oneOf() {
    return z.array(Schema).optional();
  },
});
type Schema = z.infer<typeof Schema>;

const Media = z.looseObject({ schema: Schema.optional(), example: z.unknown().optional() });
const Operation = z.looseObject({
  operationId: z.string(),
  tags: z.array(z.string()).default([]),
  summary: z.string().default(''),
  description: z.string().optional(),
  deprecated: z.boolean().optional(),
  'x-rate-limit': z.string().optional(),
  parameters: z
    .array(
      z.looseObject({
        name: z.string(),
        in: z.string(),
        required: z.boolean().optional(),
        description: z.string().optional(),
        schema: Schema.optional(),
      }),
    )
    .default([]),
  requestBody: z.looseObject({ content: z.record(z.string(), Media) }).optional(),
  responses: z.record(
    z.string(),
    z.looseObject({
      description: z.string().default(''),
      headers: z.record(z.string(), z.looseObject({ description: z.string().optional() })).optional(),
      content: z.record(z.string(), Media).optional(),
    }),
  ),
});
type Operation = z.infer<typeof Operation>;

/** As much of OpenAPI 3.1 as the reference shows. */
const Description = z.looseObject({
  tags: z.array(z.looseObject({ name: z.string(), description: z.string().default('') })),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.looseObject({ schemas: z.record(z.string(), Schema) }),
  'x-limits': z.object({
    rates: z.record(z.string(), z.object({ requests: z.int(), seconds: z.int() })),
    waiting_pictures: z.int(),
  }),
});
type Description = z.infer<typeof Description>;

/** Limits that `api` applies by its configuration. */
export type ServerLimits = Description['x-limits'];

export interface ReferencePage {
  /** Last part of its address; empty for the first page. */
  readonly id: string;
  readonly address: string;
  readonly title: string;
  readonly markdown: string;
}

interface Reference {
  readonly pages: readonly ReferencePage[];
  readonly limits: ServerLimits;
}

const KEPT_MS = inMilliseconds.minutes(1);
let kept: { readonly at: number; readonly reference: Promise<Reference> } | undefined;

/**
 * The pages of the reference, made from the description that `api` serves.
 * @throws ApiError while it doesn't answer
 */
export async function referencePages(context: AppLoadContext): Promise<readonly ReferencePage[]> {
  return (await fetchReference(context)).pages;
}

/** @throws ApiError while `api` doesn't answer */
export async function serverLimits(context: AppLoadContext): Promise<ServerLimits> {
  return (await fetchReference(context)).limits;
}

function fetchReference(context: AppLoadContext): Promise<Reference> {
  if (!kept || Date.now() - kept.at > KEPT_MS) {
    const reference = fetchDescription(context).then((description) => ({
      pages: pagesOf(description),
      limits: description['x-limits'],
    }));
    // A failure is not kept.
    reference.catch(() => {
      kept = undefined;
    });
    kept = { at: Date.now(), reference };
  }
  return kept.reference;
}

async function fetchDescription({ settings, requestId }: AppLoadContext): Promise<Description> {
  try {
    const response = await fetch(new URL('/api/openapi.json', settings.apiUrl), {
      signal: AbortSignal.timeout(settings.apiTimeoutMs),
    });
    return Description.parse(await response.json());
  } catch (cause) {
    throw ApiError.of('service.unavailable', requestId, cause);
  }
}

const ADDRESS = '/developers/reference';
const SCHEMAS_PAGE = 'objects';

/** `createBulkUpload` → `Create bulk upload` */
function titleOf(operationId: string): string {
  const words = operationId.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1).replaceAll('-', ' ');

const anchorOf = (title: string): string => title.toLowerCase().replace(/[^a-z0-9]+/g, '-');

interface Placed {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

export function pagesOf({ tags, paths, components }: Description): readonly ReferencePage[] {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Placed => ({ method: method.toUpperCase(), path, operation })),
  );
  const groups = tags
    .map(({ name, description }) => ({
      name,
      description,
      operations: all.filter(({ operation }) => operation.tags.includes(name)),
    }))
    .filter(({ operations }) => operations.length > 0);
  const start = [
    'Every operation that a key reaches. The same as [OpenAPI 3.1](/api/openapi.json), for generators and tools.',
    ...groups.flatMap(({ name, description, operations }) => [
      `## ${capitalized(name)}`,
      description,
      operations
        .map(
          ({ method, path, operation: { operationId } }) =>
            `- [${titleOf(operationId)}](${ADDRESS}/${name}#${anchorOf(titleOf(operationId))}): \`${method} ${path}\``,
        )
        .join('\n'),
    ]),
    `## Objects\n\nThe [objects](${ADDRESS}/${SCHEMAS_PAGE}) of requests and answers.`,
  ].join('\n\n');
  return [
    { id: '', address: ADDRESS, title: 'API reference', markdown: start },
    ...groups.map(({ name, description, operations }) => ({
      id: name,
      address: `${ADDRESS}/${name}`,
      title: capitalized(name),
      markdown: [description, ...operations.map((each) => operationMarkdown(each))].join('\n\n'),
    })),
    {
      id: SCHEMAS_PAGE,
      address: `${ADDRESS}/${SCHEMAS_PAGE}`,
      title: 'Objects',
      markdown: [
        'The objects of requests and answers. Names are snake_case, times ISO 8601 UTC, durations seconds, sizes bytes.',
        ...Object.entries(components.schemas).map(([name, schema]) => `## ${name}\n\n${schemaMarkdown(schema)}`),
      ].join('\n\n'),
    },
  ];
}

/** In one cell of a table. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replace(/\s*\n\s*/g, ' ');

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows.map((row) => row.map(cell))].map((row) => `| ${row.join(' | ')} |`).join('\n');

function typeOf(schema: Schema): string {
  const { $ref, type, format, enum: values, const: constant, items, anyOf, oneOf, minimum, maximum } = schema;
  if ($ref !== undefined) {
    const name = $ref.slice($ref.lastIndexOf('/') + 1);
    return `[${name}](${ADDRESS}/${SCHEMAS_PAGE}#${anchorOf(name)})`;
  }
  if (constant !== undefined) return `\`${JSON.stringify(constant)}\``;
  if (values) return values.map((value) => `\`${JSON.stringify(value)}\``).join(', ');
  const parts = anyOf ?? oneOf;
  if (parts) return [...new Set(parts.map(typeOf))].join(' or ');
  if (items) return `array of ${typeOf(items)}`;
  const names = [type ?? 'any'].flat().map((name) => (name === 'string' && format ? format : name));
  const range = minimum !== undefined && maximum !== undefined ? ` ${minimum} to ${maximum}` : '';
  return `${names.join(' or ')}${range}`;
}

const withDefault = ({ description = '', default: value }: Schema): string =>
  value === undefined ? description : `${description} Default: \`${JSON.stringify(value)}\`.`.trim();

function schemaMarkdown(schema: Schema): string {
  const { properties, required = [], description } = schema;
  if (!properties) return [description, `Type: ${typeOf(schema)}`].filter(Boolean).join('\n\n');
  const rows = Object.entries(properties).map(([name, property]) => [
    `\`${name}\`${required.includes(name) ? '' : ' (optional)'}`,
    typeOf(property),
    withDefault(property),
  ]);
  return [description, table(['Member', 'Type', 'Meaning'], rows)].filter(Boolean).join('\n\n');
}

function operationMarkdown({ method, path, operation }: Placed): string {
  const { operationId, summary, description, deprecated, parameters, requestBody, responses } = operation;
  const limit = operation['x-rate-limit'];
  const parts = [
    `## ${titleOf(operationId)}`,
    `\`\`\`http\n${method} ${path}\n\`\`\``,
    deprecated ? 'This operation is going away: see the [changelog](/developers/changelog).' : '',
    `${summary}.`.replace(/\.\.$/, '.'),
    description ?? '',
    limit ? `Counts towards the [limit](/developers/limits#requests) \`${limit}\`.` : '',
    parameters.length > 0
      ? `**Parameters**\n\n${table(
          ['Name', 'In', 'Type', 'Meaning'],
          parameters.map(({ name, in: place, required, description: text = '', schema }) => [
            `\`${name}\`${required ? '' : ' (optional)'}`,
            place,
            schema ? typeOf(schema) : 'string',
            text || schema?.description || '',
          ]),
        )}`
      : '',
    requestBody ? `**Body**\n\n${bodyMarkdown(requestBody.content)}` : '',
    `**Answers**\n\n${table(
      ['Status', 'Body', 'Meaning'],
      Object.entries(responses).map(([status, { description: text, content }]) => [status, contentOf(content), text]),
    )}`,
  ];
  const headers = Object.entries(Object.values(responses)[0]?.headers ?? {});
  if (headers.length > 0) {
    const rows = headers.map(([name, { description: text = '' }]) => [`\`${name}\``, text]);
    parts.push(`**Headers of the first answer**\n\n${table(['Header', 'Meaning'], rows)}`);
  }
  return parts.filter(Boolean).join('\n\n');
}

function contentOf(content: Operation['responses'][string]['content']): string {
  if (!content) return 'none';
  return Object.entries(content)
    .map(([type, { schema }]) => (type.endsWith('json') && schema ? typeOf(schema) : `\`${type}\``))
    .join(', ');
}

/** Files in a line; an object with its members, or its name. */
function bodyMarkdown(content: NonNullable<Operation['requestBody']>['content']): string {
  const entries = Object.entries(content);
  const files = entries.filter(([, { schema }]) => schema?.format === 'binary').map(([type]) => `\`${type}\``);
  const objects = entries.filter(([, { schema }]) => schema && schema.format !== 'binary');
  return [
    ...(files.length > 0 ? [`The bytes of a file: ${files.join(', ')}.`] : []),
    ...objects.map(([type, { schema = {}, example }]) => {
      const shape = schema.properties ? schemaMarkdown(schema) : typeOf(schema);
      const shown = example === undefined ? '' : `\n\n\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``;
      return `\`${type}\`: ${schema.properties ? `\n\n${shape}` : shape}${shown}`;
    }),
  ].join('\n\n');
}
