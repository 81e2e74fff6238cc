import { parseWithZod } from '@conform-to/zod/v4';
import { z } from 'zod';

/** The API's limit, in characters. */
const MAX_CODE_LENGTH = 100;

const redeemForm = z.object({ code: z.string().trim().min(1).max(MAX_CODE_LENGTH) });

export const parseRedeem = (fields: FormData | URLSearchParams) => parseWithZod(fields, { schema: redeemForm });
