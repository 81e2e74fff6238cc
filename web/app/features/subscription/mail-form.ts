import { EmailAddress } from '@clearframe/contract';
import { parseWithZod } from '@conform-to/zod/v4';
import { z } from 'zod';

const emailForm = z.object({ email: EmailAddress });
/** The API's limits. */
const codeForm = z.object({ email: EmailAddress, code: z.string().trim().min(1).max(200) });

export const parseMailForm = (fields: FormData | URLSearchParams, kind: 'email' | 'code') =>
  parseWithZod<z.ZodType<{ email: string; code?: string }, { email: string; code?: string }>>(fields, {
    schema: kind === 'code' ? codeForm : emailForm,
  });
