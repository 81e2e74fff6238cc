import { z } from 'zod';

export const createKeyForm = z.object({
  /** Makes a form that is sent twice create one key. */
  requestId: z.uuid(),
});

export const revokeKeyForm = z.object({ keyId: z.uuid() });

/** Forms of scripts, which get JSON instead of a page. */
export const keyForm = z.discriminatedUnion('change', [
  createKeyForm.extend({ change: z.literal('create') }),
  revokeKeyForm.extend({ change: z.literal('revoke') }),
]);
