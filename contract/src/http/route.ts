import type { z } from 'zod';
import type { ErrorCode } from '../errors/catalogue.js';
import type { Allow } from './access.js';

/** Base path of every product route; `web` forwards it to `api`. */
export const BASE_PATH = '/api/v1/web';

/** Rate limit of a route. The numbers are configuration of `api`. */
export type RateLimit = 'guests' | 'logins' | 'writes' | 'reads';

/**
 * A route: input, output and errors. `api` mounts, validates, serialises and documents it from here; `web` calls it through
 * the same definition. Params are names in the path after a colon (`/tasks/:taskId`).
 */
export interface RouteSpec {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: `/${string}`;
  /** Base path; default {@link BASE_PATH}. */
  readonly base?: `/${string}`;
  readonly tag: string;
  readonly summary: string;
  readonly allow: Allow;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Success bodies by status; the first is the usual one. `null`: no body. */
  readonly responses: Readonly<Record<number, z.ZodType | null>>;
  /** The success body is a file of this media type; its status then has no schema. */
  readonly file?: string;
  /** Error codes; those of every route (malformed, invalid, rate limited, unavailable) are implied. */
  readonly errors: readonly ErrorCode[];
  readonly limit?: RateLimit;
  /** Accepts an `Idempotency-Key`, because it creates or charges. */
  readonly idempotent?: boolean;
  /** Starts a payment: rejected from blocked countries, and verified by captcha where one is configured. */
  readonly takesMoney?: boolean;
}

/** The full path of a route, with its params after colons. */
export const pathOf = ({ base = BASE_PATH, path }: RouteSpec): string => `${base}${path}`;

/** Keeps the literal type of a route, so that inputs and outputs are inferred on both sides. */
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

/** Input of a client call. */
export type RouteRequest<Route extends RouteSpec> = Needed<'params', Unparsed<Route['params']>> &
  Needed<'query', Unparsed<Route['query']>> &
  Needed<'body', Unparsed<Route['body']>>;

/** Output of a client call: the union of the success bodies. */
export type RouteResult<Route extends RouteSpec> = {
  [Status in keyof Route['responses']]: Route['responses'][Status] extends z.ZodType
    ? z.infer<Route['responses'][Status]>
    : undefined;
}[keyof Route['responses']];
