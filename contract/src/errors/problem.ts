import { z } from 'zod';
import { ERRORS, type ErrorCode } from './catalogue.js';

/**
 * Error response body, `application/problem+json` (RFC 9457). `details` maps a field (dotted path, wire names) to its
 * problem, or names the limits that were reached.
 */
export const Problem = z
  .object({
    type: z.string().describe('A URN of the error code.'),
    title: z.string().describe('What the code means, in English.'),
    status: z.int().describe('The HTTP status.'),
    errorCode: z.string().describe('Stable code of the error, for programs.'),
    errorDescription: z.string().describe('What went wrong with this request, in English, for people.'),
    requestId: z.string().describe('Id of the request, as in `X-Request-Id`; tell it to support.'),
    details: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('The problem of each field, by its dotted path, or the limits that were reached.'),
  })
  .meta({ id: 'Problem' });
export type Problem = z.infer<typeof Problem>;

/** RFC 9457. */
export const PROBLEM_CONTENT_TYPE = 'application/problem+json';

/** `description` is English, shown to users, and contains no internals. */
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
