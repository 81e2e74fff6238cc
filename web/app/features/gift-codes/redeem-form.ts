import { parseWithZod } from '@conform-to/zod/v4';
import { z } from 'zod';

/** The API's limits, in characters. */
const MAX_CODE_LENGTH = 100;
const MAX_ID_LENGTH = 255;

const redeemForm = z.object({ code: z.string().trim().min(1).max(MAX_CODE_LENGTH) });
/** Part of the address that the mobile app opens. */
const appAccountForm = z.object({ backend_id: z.string().trim().min(1).max(MAX_ID_LENGTH) });

export const parseRedeem = (fields: FormData | URLSearchParams) => parseWithZod(fields, { schema: redeemForm });

export const parseAppAccount = (fields: FormData | URLSearchParams) => parseWithZod(fields, { schema: appAccountForm });
