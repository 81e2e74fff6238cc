import { SUPPORT_LIMITS, SupportRequest } from '@clearframe/contract';
import { parseWithZod } from '@conform-to/zod/v4';
import { z } from 'zod';
import { CAPTCHA_FIELD } from '../captcha/captcha-field';

/** `call`: the subject is a call, and the visitor says when. */
export type ContactKind = 'message' | 'call';

/** Characters of the preferred time, which becomes a line of the message. */
const MAX_TIME_LENGTH = 200;

/** What remains for the message after the line with the time. */
const MAX_TOPIC_LENGTH = SUPPORT_LIMITS.body - MAX_TIME_LENGTH - 100;

/** Most characters of each field. */
export const contactLengths = (kind: ContactKind) => ({
  name: SUPPORT_LIMITS.name,
  subject: SUPPORT_LIMITS.subject,
  time: MAX_TIME_LENGTH,
  body: kind === 'call' ? MAX_TOPIC_LENGTH : SUPPORT_LIMITS.body,
});

const { name, email, subject, body, eventId } = SupportRequest.shape;
const common = { name, email, eventId, [CAPTCHA_FIELD]: z.string().optional() };

const FORMS = {
  message: z.object({ ...common, subject, body }),
  call: z.object({
    ...common,
    time: z.string().trim().min(1).max(MAX_TIME_LENGTH),
    body: z.string().trim().max(MAX_TOPIC_LENGTH).default(''),
  }),
} as const satisfies Record<ContactKind, z.ZodObject>;

export interface ContactFields {
  readonly name: string;
  readonly email: string;
  readonly body: string;
  /** Of the error that led here; empty without one. */
  readonly eventId: string;
  /** Only in messages. */
  readonly subject?: string | undefined;
  /** Only in requests for a call: the visitor's own words for when. */
  readonly time?: string | undefined;
  readonly [CAPTCHA_FIELD]?: string | undefined;
}

export const parseContact = (fields: FormData | URLSearchParams, kind: ContactKind) =>
  parseWithZod<z.ZodType<ContactFields, Partial<ContactFields>>>(fields, { schema: FORMS[kind] });
