import { parseWithZod } from '@conform-to/zod/v4';
import { z } from 'zod';

const passwordForm = z.object({ change: z.literal('open'), password: z.string().min(1).max(200) });

const secretMenuForm = z.discriminatedUnion('change', [
  passwordForm,
  z.object({ change: z.literal('close') }),
  z.object({ change: z.literal('isFree'), isFree: z.enum(['yes', 'no']) }),
  /** The fields of its segments are named after experiments. */
  z.object({ change: z.literal('experiments') }),
]);

export const parsePassword = (fields: FormData) => parseWithZod(fields, { schema: passwordForm });

export const parseSecretMenu = (fields: URLSearchParams) => parseWithZod(fields, { schema: secretMenuForm });
