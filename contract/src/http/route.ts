import type { z } from 'zod';
import type { ErrorCode } from '../errors/catalogue.js';
import type { Allow } from './access.js';
import type { Tag } from './tags.js';

/** Base path of product routes; `web` forwards it to `api`. */
export const BASE_PATH = '/api/v1/web';

/** Rate limits; their numbers are configuration of `api`. */
export type RateLimit = 'guests' | 'logins' | 'writes' | 'analyses' | 'reads' | 'tiles' | 'events' | 'support';

/**
 * A route: `api` mounts, validates, serializes and documents it; `web` calls it by the same definition. Params follow a
 * colon in the path (`/tasks/:taskId`).
 */
export interface RouteSpec {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: `/${string}`;
  readonly base?: `/${string}`;
  readonly tag: Tag;
  /** What the route does, as a title: a verb and its object. */
  readonly summary: string;
  /** How it behaves, in English sentences with wire names. */
  readonly description?: string;
  readonly allow: Allow;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Media types of a file that the handler reads from the body as it arrives, or from a form. Excludes `body`. */
  readonly upload?: readonly string[];
  /** A JSON body in place of the file: the query's parameters as JSON values. */
  readonly uploadJson?: z.ZodType;
  /** Success bodies by status, the usual first. `null`: no body. */
  readonly responses: Readonly<Record<number, z.ZodType | null>>;
  /** Media types of a success body that is a file; its status then has no schema. */
  readonly file?: readonly string[];
  /** Headers of the response with the first status; optional where they may be absent. */
  readonly responseHeaders?: z.ZodObject;
  /** Waits for the end of processing as long as `Prefer: wait=N` says (RFC 7240), at most {@link MAX_WAIT_SECONDS}. */
  readonly waits?: true;
  /** Scripts of other origins may call it, without cookies, and with an upload token in place of a key. */
  readonly cors?: true;
  /** Error codes, besides those of every route (malformed, invalid, rate limited, unavailable). */
  readonly errors: readonly ErrorCode[];
  readonly limit?: RateLimit;
  /** Accepts an `Idempotency-Key`, because it creates or charges. */
  readonly idempotent?: boolean;
  /** Starts a payment: rejected from blocked countries. */
  readonly takesMoney?: boolean;
  /** Creates or processes media: rejected where the service is blocked. */
  readonly enhances?: boolean;
  /** Where a captcha is configured, a token for the route's path as the action is required in `CAPTCHA_HEADER`. */
  readonly captcha?: CaptchaRule;
  /** Announces the route's end: in the description, and in `Deprecation` and `Sunset` of every response. */
  readonly deprecated?: Deprecation;
}

/** Dates as `2026-11-28`, UTC. The guide's policy: at least six months apart. */
export interface Deprecation {
  /** Date of the announcement, which is a heading of the guide's changelog. */
  readonly since: string;
  /** From this date the route may be gone. */
  readonly sunset: string;
}

/**
 * What a route accepts in place of a captcha token: nothing (`token`); a form sent without JavaScript, few an hour and
 * network (`form`), or only one that leads to the payment provider's own page (`page`); a checkout of the caller that
 * has passed the captcha before (`return`).
 */
export type CaptchaRule = 'token' | 'form' | 'page' | 'return';

/** Path with its base, for instance `/api/v1/web/tasks/:taskId`; parameters start with a colon. */
export const pathOf = ({ base = BASE_PATH, path }: RouteSpec): string => `${base}${path}`;

/** Keeps the literal type, so that inputs and outputs are inferred on both sides. */
export const defineRoute = <const Route extends RouteSpec>(spec: Route): Route => spec;

type Parsed<Schema> = Schema extends z.ZodType ? z.infer<Schema> : undefined;

/** Input of a handler: validated, camelCase, defaults filled in. */
export interface RouteInput<Route extends RouteSpec> {
  readonly params: Parsed<Route['params']>;
  readonly query: Parsed<Route['query']>;
  readonly body: Parsed<Route['body']>;
}

type Unparsed<Schema> = Schema extends z.ZodType ? z.input<Schema> : undefined;
type Defined<Key extends string, Value> = Value extends undefined
  ? { readonly [K in Key]?: undefined }
  : { readonly [K in Key]: Value };

/** Input of a client call. */
export type RouteRequest<Route extends RouteSpec> = Defined<'params', Unparsed<Route['params']>> &
  Defined<'query', Unparsed<Route['query']>> &
  Defined<'body', Unparsed<Route['body']>>;

/** Output of a client call: union of the success bodies. */
export type RouteResult<Route extends RouteSpec> = {
  [Status in keyof Route['responses']]: Route['responses'][Status] extends z.ZodType
    ? z.infer<Route['responses'][Status]>
    : undefined;
}[keyof Route['responses']];

/** The id of a public link is enough to see the picture. */
const SHARING_ID = /^(\/s|\/media\/shares|\/api\/v1\/web\/sharings)\/[^/]+/;

/** The path of a request for logs: without its query, which can contain signatures, and without ids of public links. */
export const redactedPath = (url: string): string => (url.split('?', 1)[0] ?? '').replace(SHARING_ID, '$1/*');
