import { z } from 'zod';
import { ERRORS, type ErrorCode } from './catalogue.js';

/**
 * The body of every error answer, `application/problem+json` (RFC 9457) with the product's own members.
 * `details` maps a field (dotted path, wire names) to what is wrong with it, or names limits that were hit.
 */
export const Problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    errorCode: z.string(),
    errorDescription: z.string(),
    requestId: z.string(),
    details: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'Problem' });
export type Problem = z.infer<typeof Problem>;

export const PROBLEM_CONTENT_TYPE = 'application/problem+json';

/** Builds the body for a code. `description` is English and may be shown; it never holds internals. */
export function problemOf(
  code: ErrorCode,
  requestId: string,
  description?: string,
  details?: Record<string, unknown>,
): Problem {
  const entry = ERRORS[code];
  return {
    type: `urn:clearframe:error:${code}`,
    title: entry.title,
    status: entry.status,
    errorCode: code,
    errorDescription: description ?? `${entry.title}.`,
    requestId,
    ...(details ? { details } : {}),
  };
}
