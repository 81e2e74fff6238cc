import type { z } from 'zod';
import { patternOf } from '../core/http-api.js';
import type { Transaction } from '../core/ledger.js';
import { invalidRequest } from './errors.js';
import type { StripeList } from './objects.js';

export interface StripeRoute {
  /** `POST /v1/subscriptions/{id}`. */
  readonly operation: string;
  readonly method: string;
  readonly pattern: RegExp;
  readonly parameters: z.ZodType;
  handle(tx: Transaction, parameters: unknown, id: string): Promise<unknown>;
}

export function route<Schema extends z.ZodType>(
  operation: string,
  parameters: Schema,
  handle: (tx: Transaction, parameters: z.output<Schema>, id: string) => Promise<unknown>,
): StripeRoute {
  return {
    operation,
    ...patternOf(operation),
    parameters,
    handle: (tx, given, id) => handle(tx, given as z.output<Schema>, id),
  };
}

/** A page of a list, newest first. */
export function page<Item extends { id: string }>(
  url: string,
  items: readonly Item[],
  { limit, starting_after: after }: { limit: number; starting_after?: string | undefined },
): StripeList<Item> {
  const start = after === undefined ? 0 : items.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && start === 0) {
    throw invalidRequest('resource_missing', `No such object: '${after}'`, 'starting_after');
  }
  const rest = items.slice(start);
  return { object: 'list', url, has_more: rest.length > limit, data: rest.slice(0, limit) };
}
