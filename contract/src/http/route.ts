import type { z } from 'zod';
import type { ErrorCode } from '../errors/catalogue.js';
import type { Allow } from './access.js';

/** Every route of the product lives under this path; `web` passes it through to `api`. */
export const BASE_PATH = '/api/v1/web';

/** Which bucket a route counts in. The numbers behind the names are configuration of `api`. */
export type RateLimit = 'guests' | 'logins' | 'writes' | 'reads';

/**
 * One row of the call table: what goes in, what comes out and what can go wrong. `api` mounts, validates, serialises
 * and documents from it; `web` calls by it. Params are names in the path after a colon (`/tasks/:taskId`).
 */
export interface RouteSpec {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: `/${string}`;
  /** What the path hangs under; {@link BASE_PATH} unless said otherwise. */
  readonly base?: `/${string}`;
  readonly tag: string;
  readonly summary: string;
  readonly allow: Allow;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Success answers by status; the first is the usual one. `null` has no body. */
  readonly responses: Readonly<Record<number, z.ZodType | null>>;
  /** The success answer is a file of this media type; its status then has no schema. */
  readonly file?: string;
  /** Codes of its own; those every route may answer with (malformed, invalid, limited, unavailable) are implied. */
  readonly errors: readonly ErrorCode[];
  readonly limit?: RateLimit;
  /** Creates or charges: takes an `Idempotency-Key`. */
  readonly idempotent?: boolean;
  /** Begins a payment: refused from blocked countries, and judged by the captcha where one is configured. */
  readonly takesMoney?: boolean;
}

/** The whole path of a route, with its params after colons. */
export const pathOf = ({ base = BASE_PATH, path }: RouteSpec): string => `${base}${path}`;

/** Keeps the literal type of a route, so that inputs and answers are inferred on both sides. */
export const defineRoute = <const Route extends RouteSpec>(spec: Route): Route => spec;

type Parsed<Schema> = Schema extends z.ZodType ? z.infer<Schema> : undefined;

/** What a handler receives: validated, camelCase, defaults filled in. */
export interface RouteInput<Route extends RouteSpec> {
  readonly params: Parsed<Route['params']>;
  readonly query: Parsed<Route['query']>;
  readonly body: Parsed<Route['body']>;
}

type Unparsed<Schema> = Schema extends z.ZodType ? z.input<Schema> : undefined;
type Needed<Key extends string, Value> = Value extends undefined
  ? { readonly [K in Key]?: undefined }
  : { readonly [K in Key]: Value };

/** What a caller has to give. */
export type RouteRequest<Route extends RouteSpec> = Needed<'params', Unparsed<Route['params']>> &
  Needed<'query', Unparsed<Route['query']>> &
  Needed<'body', Unparsed<Route['body']>>;

/** What a caller gets back: the union of the success bodies. */
export type RouteResult<Route extends RouteSpec> = {
  [Status in keyof Route['responses']]: Route['responses'][Status] extends z.ZodType
    ? z.infer<Route['responses'][Status]>
    : undefined;
}[keyof Route['responses']];
