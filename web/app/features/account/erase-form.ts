import { parseWithZod } from '@conform-to/zod/v4';
import { z } from 'zod';

const eraseForm = (email: string | null) =>
  email === null
    ? z.object({ sure: z.literal('yes') })
    : z.object({
        email: z.string().refine((text) => text.trim().toLowerCase() === email.toLowerCase()),
      });

/** Requires the account's email address in any case, or a checked box for an account without one. */
export const parseErase = (fields: FormData | URLSearchParams, email: string | null) =>
  parseWithZod<z.ZodType<EraseFields, EraseFields>>(fields, { schema: eraseForm(email) });

export interface EraseFields {
  readonly sure?: 'yes' | undefined;
  readonly email?: string | undefined;
}
