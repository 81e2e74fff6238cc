import { z } from 'zod';
import { ZendeskError } from './zendesk-error.js';

/** The part of Zendesk's ticket that the product sends. Other members are rejected, so that typos fail. */
const NewTicket = z.strictObject({
  subject: z.string().min(1).max(150),
  comment: z.strictObject({ body: z.string().trim().min(1).max(64_000) }),
  requester: z.strictObject({ name: z.string().min(1).max(255), email: z.email() }),
  external_id: z.string().max(255).optional(),
  tags: z.array(z.string().regex(/^[^\s,"]+$/)).default([]),
  custom_fields: z.array(z.strictObject({ id: z.int().positive(), value: z.string() })).default([]),
});
export type NewTicket = z.output<typeof NewTicket>;

/** @throws ZendeskError */
export function readTicket(body: unknown): NewTicket {
  if (typeof body !== 'object' || body === null || !('ticket' in body)) {
    throw new ZendeskError(400, 'MissingParameter', 'Parameter ticket is required');
  }
  const result = NewTicket.safeParse(body.ticket);
  if (result.success) return result.data;
  const details = Object.fromEntries(
    result.error.issues.map(({ path, message }) => [path.join('.') || 'base', [{ description: message }]]),
  );
  throw new ZendeskError(422, 'RecordInvalid', 'Record validation errors', details);
}
