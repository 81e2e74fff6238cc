import {
  fromWire,
  pathOf,
  type RouteInput,
  type RouteSpec,
  toWire,
  unknownNames,
  wirePath,
} from '@clearframe/contract';
import {
  applyDecorators,
  type CallHandler,
  createParamDecorator,
  type ExecutionContext,
  HttpCode,
  Injectable,
  type NestInterceptor,
  RequestMapping,
  RequestMethod,
  SetMetadata,
  StreamableFile,
} from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import { z } from 'zod';
import { AppError } from '../errors/app-error.js';
import { preferredSecondsOf } from './preferred-wait.js';

const ROUTE = Symbol('the contract of a route');
const OPERATIONAL = Symbol('an endpoint for operators');

/** An endpoint outside the contract and without access control, such as a health check. */
export const Operational = (): MethodDecorator => SetMetadata(OPERATIONAL, true);

export const isOperational = (method: object): boolean => Reflect.hasMetadata(OPERATIONAL, method);

export const Route = (spec: RouteSpec): MethodDecorator =>
  applyDecorators(
    RequestMapping({ method: RequestMethod[spec.method], path: pathOf(spec) }),
    HttpCode(successStatusOf(spec)),
    SetMetadata(ROUTE, spec),
    RouteConfig({ readsStream: spec.upload !== undefined, cors: spec.cors === true, deprecated: spec.deprecated }),
  );

export const routeOfMethod = (method: unknown): RouteSpec | undefined =>
  typeof method === 'function' ? Reflect.getMetadata(ROUTE, method) : undefined;

export const routeOf = (context: ExecutionContext): RouteSpec | undefined => routeOfMethod(context.getHandler());

function successStatusOf(spec: RouteSpec): number {
  const [status] = Object.keys(spec.responses);
  return Number(status);
}

type FieldMap = Record<string, string>;

/** Errors by field, in wire names. */
function fieldMap(error: z.ZodError): FieldMap {
  const fields: FieldMap = {};
  for (const issue of error.issues.flatMap(withinUnion)) {
    const paths = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
    for (const path of paths)
      fields[wirePath(path) || 'body'] ??= issue.code === 'unrecognized_keys' ? 'Unknown name' : issue.message;
  }
  return fields;
}

/** Those of the only member of a union that is of the value's kind, if there is one: the others fail as a whole. */
function withinUnion(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const isOfKind = ({ path, code }: z.core.$ZodIssue) => path.length > 0 || code === 'unrecognized_keys';
  const [member, ...others] = issue.errors.filter((issues) => issues.every(isOfKind));
  if (!member || others.length > 0) return [issue];
  return member.flatMap((inner) => withinUnion({ ...inner, path: [...issue.path, ...inner.path] }));
}

/** Path of a string that PostgreSQL can't store (NUL or lone surrogate), or null. */
function unstorablePath(value: unknown, path: readonly PropertyKey[] = []): readonly PropertyKey[] | null {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed() ? path : null;
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, member] of Object.entries(value)) {
    const found = unstorablePath(member, [...path, key]);
    if (found) return found;
  }
  return null;
}

function parse(schema: z.ZodType | undefined, raw: unknown, refuse: (fields: FieldMap) => AppError): unknown {
  if (!schema) return undefined;
  const result = schema.safeParse(fromWire(schema, raw));
  if (!result.success) throw refuse(fieldMap(result.error));
  const bad = unstorablePath(result.data);
  if (bad) throw refuse({ [wirePath(bad)]: 'Contains an invalid character' });
  return result.data;
}

/** `request.invalid`, for rules that a schema can't state. */
export const invalidInput = (details: FieldMap): AppError => {
  const [field] = Object.keys(details);
  return new AppError('request.invalid', { description: `Invalid value: ${field}: ${details[field ?? '']}`, details });
};

function bodyOf(request: FastifyRequest): unknown {
  const { body = {} } = request;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new AppError('request.malformed', { description: 'The body must be a JSON object.' });
  }
  return body;
}

const NONE = z.object({});
/** A body of 1 MB can have many. */
const NAMED_UNKNOWN = 20;

/** @throws AppError `request.unknown_parameter` */
function refuseUnknown(names: readonly string[]): void {
  if (names.length === 0) return;
  const named = names.slice(0, NAMED_UNKNOWN);
  throw new AppError('request.unknown_parameter', {
    description: `Unknown parameters: ${named.join(', ')}`,
    details: Object.fromEntries(named.map((name) => [name, 'Unknown name'])),
  });
}

/** @throws AppError `request.unknown_parameter` for members of the query or the JSON body that the route doesn't have */
export function refuseUnknownInput(spec: RouteSpec, { query, body }: FastifyRequest): void {
  refuseUnknown([
    // The parser's objects have a prototype of their own.
    ...unknownNames(spec.query ?? NONE, { ...Object(query) }),
    ...(spec.upload ? [] : unknownNames(spec.body ?? NONE, body)),
  ]);
}

/**
 * Validates fields of a form that the handler has read itself.
 * @throws AppError `request.unknown_parameter`, `request.invalid`
 */
export function parseFields<Schema extends z.ZodType>(schema: Schema, raw: unknown): z.infer<Schema> {
  refuseUnknown(unknownNames(schema, raw));
  return parse(schema, raw, invalidInput) as z.infer<Schema>;
}

/** A malformed id in the path responds with 404, not 422. */
function readInput<Spec extends RouteSpec>(spec: Spec, request: FastifyRequest): RouteInput<Spec> {
  const missing = spec.errors.find((code) => code.endsWith('.not_found')) ?? 'request.not_found';
  return {
    params: parse(spec.params, snakeParams(request.params), () => new AppError(missing)),
    // zod does not accept the prototype of the parser's objects as a plain object.
    query: parse(spec.query, { ...Object(request.query) }, invalidInput),
    body: spec.body ? parse(spec.body, bodyOf(request), invalidInput) : undefined,
  } as RouteInput<Spec>;
}

/** Paths of the contract name params in camelCase; the schema's reader expects wire names. */
function snakeParams(params: unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(params ?? {}).map(([name, value]) => [wirePath([name]), value]));
}

/** Validated input: `@Input() input: RouteInput<typeof taskRoutes.getTask>`. */
export const Input = createParamDecorator((_data: unknown, context: ExecutionContext) => {
  const spec = routeOf(context);
  if (!spec) throw new Error(`@Input() without @Route() on ${context.getHandler().name}`);
  return readInput(spec, context.switchToHttp().getRequest<FastifyRequest>());
});

export class RouteResponse<Body> {
  constructor(
    readonly status: number,
    readonly body: Body,
  ) {}
}

/**
 * Serializes responses by the schema of their route: removes unknown members, converts names to snake_case, disables
 * caching, unless the handler of a file has set it.
 */
@Injectable()
export class ResponseInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const spec = routeOf(context);
    if (!spec) return next.handle();
    const http = context.switchToHttp();
    const reply = http.getResponse<FastifyReply>();
    const waitSeconds = spec.waits ? preferredSecondsOf(http.getRequest<FastifyRequest>()) : null;
    return next.handle().pipe(
      map((value) => {
        if (waitSeconds !== null) reply.header('preference-applied', `wait=${waitSeconds}`);
        if (value instanceof StreamableFile) {
          if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
          return value;
        }
        const { status, body } =
          value instanceof RouteResponse ? value : { status: successStatusOf(spec), body: value };
        const schema = spec.responses[status];
        reply.status(status).header('cache-control', 'no-store');
        return schema ? toWire(schema, schema.parse(body)) : undefined;
      }),
    );
  }
}
