import { z } from 'zod';
import { defineRoute } from '../http/route.js';
import { EmailAddress } from './email.js';

/** Characters (UTF-16 units). A longer value is refused. */
export const SUPPORT_LIMITS = { name: 100, subject: 150, body: 10_000 } as const;
/** Characters (code points). A longer value is truncated (spec 1, section 9). */
const SUPPORT_SOURCE_LENGTH = 50;
const CLIENT_LENGTH = 100;

const truncated = (text: string, length: number): string => [...text].slice(0, length).join('');

/** Control characters, line breaks among them, become spaces. */
const inOneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

/** Keeps line breaks and tabs. */
const inLines = (text: string): string =>
  text
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .trim();

const required = (length: number, clean: (text: string) => string) => z.string().overwrite(clean).min(1).max(length);

const optional = (length: number) =>
  z
    .string()
    .overwrite((text) => truncated(inOneLine(text), length))
    .default('');

/** Where a support request comes from; at most {@link SUPPORT_SOURCE_LENGTH} characters. */
export const SupportSource = optional(SUPPORT_SOURCE_LENGTH);

/** A message to customer support: plain text, without control characters. */
export const SupportRequest = z
  .object({
    name: required(SUPPORT_LIMITS.name, inOneLine).describe('Name of the sender, at most 100 characters.'),
    email: EmailAddress.describe('Address for the answer.'),
    subject: required(SUPPORT_LIMITS.subject, inOneLine).describe('Subject, at most 150 characters.'),
    body: required(SUPPORT_LIMITS.body, inLines).describe('The message as plain text, at most 10,000 characters.'),
    source: SupportSource.describe(
      'Page or feature that led to the form; a longer value than 50 characters is cut off.',
    ),
    device: optional(CLIENT_LENGTH).describe('Kind of the device; a longer value than 100 characters is cut off.'),
    browser: optional(CLIENT_LENGTH).describe('Browser of the sender; a longer value than 100 characters is cut off.'),
    eventId: optional(CLIENT_LENGTH).describe('Id of the error that led to the request, as its page shows it.'),
  })
  .meta({ id: 'SupportRequest' });
export type SupportRequest = z.output<typeof SupportRequest>;

/** Response to a stored request. */
export const SupportTicket = z
  .object({ ticketId: z.uuid().describe('Id of the request.') })
  .meta({ id: 'SupportTicket' });
export type SupportTicket = z.infer<typeof SupportTicket>;

/** Requests to customer support. */
export const supportRoutes = {
  createSupportTicket: defineRoute({
    method: 'POST',
    path: '/zendesk/tickets',
    tag: 'support',
    summary: 'Send a support request',
    description: 'Stores a message to customer support; accepted also while its system is down.',
    allow: 'anyone',
    body: SupportRequest,
    responses: { 201: SupportTicket },
    errors: ['captcha.failed', 'service.not_configured'],
    limit: 'support',
    idempotent: true,
    captcha: 'form',
  }),
} as const;
